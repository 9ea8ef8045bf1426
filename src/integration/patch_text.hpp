// The reviewable result: a unified diff with a header that says what it is and how it was measured.
#pragma once

#include <string>

#include "base/async.hpp"
#include "base/error.hpp"
#include "base/process.hpp"
#include "integration/placement.hpp"

namespace noctune {

// Lines that `git apply` and `patch` pass over.
std::string patch_header(const Placement& placement);

// By diff, with a/ and b/ before the path in the application; empty where the texts are equal.
Task<Result<std::string>> unified_diff(ProcessHelper& helper, std::string file, std::string before,
                                       std::string after);

}  // namespace noctune
