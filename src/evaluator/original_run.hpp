// What a step on the way from spec to baseline answers: nothing where it succeeded, else why the MEP is
// refused.
#pragma once

#include <optional>
#include <string>

#include "evaluator/driver_run.hpp"

namespace noctune {

struct Refusal {
  Verdict verdict = Verdict::wrong_result;  // in the words of a candidate's verdict
  std::string message, diagnostics;
};
using Step = std::optional<Refusal>;

// The refusal of a K(0) that did not come to its end; `when` says on what: "on its check cases".
Step refused_run(const DriverRun& run, const std::string& when);

// "0.00012"-like: two significant digits.
std::string number_text(double value);

}  // namespace noctune
