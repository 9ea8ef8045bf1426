// What K(0)'s outputs depend on: they must follow the inputs, or a check sees nothing, and nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator/original_run.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

struct InputProbes {
  Step refused;
  std::vector<std::string> notes;  // for people
};

Task<InputProbes> probe_inputs(std::shared_ptr<Workbench> bench, MepReport report);

}  // namespace noctune
