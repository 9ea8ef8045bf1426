// Contents that come from outside: made by the user's inputs.cpp, or read from files that were captured.
#pragma once

#include <memory>

#include "joint.hpp"
#include "report.hpp"

namespace noctune {

// Null where the set's generator makes its contents here. Refuses through the report when a file cannot be
// read, memory is short, or inputs.cpp writes beyond a part.
std::unique_ptr<JointMaker> make_outside(const JointSet& set, std::size_t index, Report& report);

}  // namespace noctune
