// Which recipes to try next on a GPU: structure first, then shapes and smaller steps on top of the best.
#pragma once

#include <string>
#include <vector>

#include "coordinator/rules/step_list.hpp"

namespace noctune::rules::gpu {

struct Opening {
  const char* recipe;              // steps that do not apply are left out
  std::vector<std::string> needs;  // one of these must apply
};
const std::vector<Opening>& openings();

// Lists of one kind each; the caller takes from them in turn.
std::vector<std::vector<Steps>> variations(const Steps& best);

}  // namespace noctune::rules::gpu
