// The user's own check of outputs (check.cpp), for what the spec cannot say: it runs in a process that never
// held candidate code, on inputs made anew and on the outputs' bytes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator/workbench.hpp"

namespace noctune {

struct Judgement {
  Verdict verdict = Verdict::ok;  // ok, wrong_result, or lost when the check could not be run
  std::string message;            // which invariant is broken where, for people
  std::string diagnostics;
  double seconds = 0;
};

// Asks the check about what `made` has left in the plan's runs; `original` is K(0)'s report on them. A check
// that crashes or hangs on a version's outputs holds against that version. Ok where the MEP has no check.
Task<Judgement> judge_invariants(std::shared_ptr<Workbench> bench, std::vector<CheckItem> plan,
                                 DriverReport original, DriverRun made);
// The same about the outputs that came back from inside a timed sample; `original` is K(0)'s run of `item`.
// Where a batch's calls worked on their own results, they are held to what K(0)'s then keeps, too.
Task<Judgement> judge_timed(std::shared_ptr<Workbench> bench, CheckItem item, DriverRun original,
                            DriverRun timed);

}  // namespace noctune
