// Defects that the check of a MEP must see, or a candidate with that defect would pass: nothing done at all,
// the last term left out, inputs of lower precision.
#pragma once

#include <string>
#include <vector>

#include "evaluator/workbench.hpp"

namespace noctune {

struct MutationResult {
  Evaluation null_probe;  // the version that does nothing
  bool refused = false;
  Verdict verdict = Verdict::wrong_result;
  std::string message, diagnostics;  // why the MEP is refused
  std::vector<std::string> notes;    // what was seen, for people
};

Task<MutationResult> probe_mutations(std::shared_ptr<Workbench> bench, MepReport report);

}  // namespace noctune
