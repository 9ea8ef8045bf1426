// What `doctor` says of this node's GPUs: which there are, what is near them, who is on them, how they fare.
#pragma once

#include <string>
#include <vector>

#include "base/gpu_management.hpp"
#include "evaluator/file_lock.hpp"

namespace noctune {

struct GpuFinding {
  enum class Kind { good, lacking, bad };
  Kind kind = Kind::good;
  std::string what, found;
};

// Of the vendor that the backend needs; of both where it needs none, and then none is missed. Makes no
// context.
std::vector<GpuFinding> check_gpus(const std::string& backend, const GpuLibraryPaths& paths = {},
                                   const std::filesystem::path& locks = lock_folder());

}  // namespace noctune
