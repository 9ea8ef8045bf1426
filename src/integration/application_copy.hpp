// The user's application as a folder: what it holds, and a copy of it to build and change.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

// By path in the folder: what stands there, as a digest of type, permissions and content. Files beyond 256 MB
// count by size and time. The repository's own data (.git) is left out.
struct FolderState {
  std::map<std::string, std::string> entries;

  std::string sha() const;  // of all
};

Result<FolderState> state_of(const std::filesystem::path& folder);
// Paths that only one side has or that differ.
std::vector<std::string> changed_entries(const FolderState& before, const FolderState& after);

// Copies all with times, permissions and symbolic links; links into the folder itself by an absolute path are
// led into the copy. Left out: .git, and build folders of CMake, which hold absolute paths into the original.
// `to` must not exist.
Result<void> copy_application(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace noctune
