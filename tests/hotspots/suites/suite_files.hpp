// The isolated sources of the suites, found in their folders.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {

inline const std::vector<std::string>& suite_names() {
  static const std::vector<std::string> names = {"polybench", "sdk", "apps"};
  return names;
}

// Specs of a suite; applications have a folder each.
inline std::vector<std::filesystem::path> suite_specs(const std::string& suite) {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path root = std::filesystem::path(NOCTUNE_SOURCE_DIR) / "hotspots" / suite;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().string().ends_with(".mep.json")) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// "2dconv.cu" beside "2dconv.mep.json".
inline std::filesystem::path source_of(const std::filesystem::path& spec, const std::string& suffix) {
  return std::filesystem::path(spec).replace_extension("").replace_extension(suffix);
}

inline MepSpec suite_spec(const std::filesystem::path& path) {
  return read_mep_spec(value_or_throw(read_json(path)));
}

}  // namespace noctune
