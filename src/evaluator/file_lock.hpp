// Locks on files, which cross processes of one user on one node; the kernel frees them when their owner dies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/files.hpp"

namespace noctune {

// In memory where the node has it, so that no network file system is asked.
std::filesystem::path lock_folder();
// "noctune-<user>-<name>" in it.
std::filesystem::path lock_path(const std::filesystem::path& folder, const std::string& name);

// `operation` is LOCK_SH or LOCK_EX of flock. Waits for others; throws where the file cannot be opened.
Descriptor lock_file(const std::filesystem::path& path, int operation);
// The same without waiting: nothing while others are in the way.
std::optional<Descriptor> try_lock_file(const std::filesystem::path& path, int operation);

}  // namespace noctune
