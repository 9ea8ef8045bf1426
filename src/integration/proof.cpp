#include "integration/proof.hpp"

#include "base/text.hpp"

namespace noctune {
namespace {

// A figure of merit that moves by so much moves for a reason.
constexpr double telling_factor = 1.5;

}  // namespace

UseAnswer judge_use(const UseEvidence& evidence) {
  const StepOutcome& idle = evidence.idle_run;
  if (!evidence.idle_build.ok())
    return {Used::cannot_tell, "with a version that does nothing " + evidence.idle_build.reason};
  if (!evidence.build_differs)
    return {Used::no,
            "the build makes the same files whatever the patched file does: it takes no part in it"};
  switch (idle.verdict) {
    case StepVerdict::not_verified:
    case StepVerdict::run_failed:
    case StepVerdict::run_timeout:
    case StepVerdict::no_metric:
      return {Used::yes, "with a version that does nothing " + idle.reason};
    case StepVerdict::ok:
      break;
    default:
      return {Used::cannot_tell, idle.reason};
  }
  const double factor = idle.metric / evidence.patched.metric;
  if (factor > telling_factor || factor < 1 / telling_factor)
    return {Used::yes, "with a version that does nothing the figure of merit is " + fixed(factor, 2) +
                           " times as large; but the results were accepted all the same"};
  return {
      Used::cannot_tell,
      "it is part of the build, but a version that does nothing changes neither the verdict on the results "
      "nor the figure of merit"};
}

const char* to_text(Used used) {
  switch (used) {
    case Used::no:
      return "no";
    case Used::yes:
      return "yes";
    case Used::cannot_tell:
      break;
  }
  return "cannot_tell";
}

}  // namespace noctune
