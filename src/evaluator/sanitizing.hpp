// Runs K(0), built with the compiler's sanitizers, once on the cases that are small: what is wrong in the
// original is said before anything is tuned, with its line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator/original_run.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

struct Sanitized {
  Step refused;
  std::string sanitizers;          // that came to an end: "address, undefined"; empty = none
  std::vector<std::string> notes;  // what was not examined, and why
  double seconds = 0;
};

// AddressSanitizer and UndefinedBehaviorSanitizer together; where that does not work, the latter alone. A
// sanitizer that this compiler lacks, or that cannot work here, refuses nothing. The report is adopted.
Task<Sanitized> examine_by_sanitizers(std::shared_ptr<Workbench> bench, MepReport report);

}  // namespace noctune
