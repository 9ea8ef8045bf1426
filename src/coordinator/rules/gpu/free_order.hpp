// Whether iterations of a loop may run in any order and on any thread.
#pragma once

#include "coordinator/rules/program.hpp"

namespace noctune::rules::gpu {

// Elements that the loop writes belong to one iteration each, and what atomicAdd changes is used by nothing
// else; other calls are pure. Conservative.
bool has_free_order(const Function& kernel, const Statement& loop, const std::set<std::string>& pure_calls);

}  // namespace noctune::rules::gpu
