// The sources of hotspots/cuda, for tests that look at each.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {

inline const std::vector<std::string>& cuda_names() {
  static const std::vector<std::string> names = {"copy",      "gemm",      "atax",   "jacobi-2d",
                                                 "reduction", "transpose", "n-body", "histogram"};
  return names;
}

inline std::filesystem::path cuda_folder() {
  return std::filesystem::path(NOCTUNE_SOURCE_DIR) / "hotspots/cuda";
}

// Paths of all of them, as found and as tuned by hand.
inline std::vector<std::string> cuda_sources() {
  std::vector<std::string> paths;
  for (const std::string& name : cuda_names()) {
    paths.push_back(cuda_folder() / (name + ".cu"));
    paths.push_back(cuda_folder() / "tuned" / (name + ".cu"));
  }
  return paths;
}

inline MepSpec cuda_spec(const std::string& name) {
  return read_mep_spec(value_or_throw(read_json(cuda_folder() / (name + ".mep.json"))));
}

// "tuned_jacobi_2d": what a test is called.
inline std::string word_of_source(const ::testing::TestParamInfo<std::string>& source) {
  const std::filesystem::path path = source.param;
  std::string word = (path.parent_path().filename() == "tuned" ? "tuned_" : "naive_") + path.stem().string();
  std::replace(word.begin(), word.end(), '-', '_');
  return word;
}

}  // namespace noctune
