// Whether a child failed for want of its scratch folder: then it is nobody's verdict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace noctune {

// Of a compiler that failed in `folder`: one of `files`, which are ours, is gone; or it says that the disk is
// full, and the disk is nearly so, since a source can make a compiler say anything. Empty: neither.
std::string scratch_trouble(const std::filesystem::path& folder, const std::vector<std::string>& files,
                            const std::string& diagnostics);

// No room is left for a process that leaves no more than its report.
bool scratch_is_full(const std::filesystem::path& folder);

}  // namespace noctune
