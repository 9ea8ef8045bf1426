// Whether the application really executes the code that was put in, told from a build in which that code does
// nothing.
#pragma once

#include <string>

#include "integration/application_run.hpp"

namespace noctune {

enum class Used { no, yes, cannot_tell };

struct UseEvidence {
  StepOutcome patched;         // a verified run with the winner
  StepOutcome idle_build;      // of the code that does nothing
  bool build_differs = false;  // a file that the build made is another one than with the winner
  StepOutcome idle_run;        // only where it was built and differs
};

struct UseAnswer {
  Used used = Used::cannot_tell;
  std::string reason;
};

UseAnswer judge_use(const UseEvidence& evidence);
const char* to_text(Used used);

}  // namespace noctune
