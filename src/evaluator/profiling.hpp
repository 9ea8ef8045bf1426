// Gate 5: what a version's time is spent on. Counters where a profiler gives them; else, or beside them, what
// the compiler reports and what the task's own bytes and operations imply. It explains and never judges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator/profile/bottleneck.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

struct Profiled {
  Verdict verdict = Verdict::ok;  // else lost: it could not be run for reasons of ours, or was stopped
  std::string message;            // how it was found out, or what was missing
  std::string guidance;           // for a proposer
  std::vector<ProfileMetric> metrics;
  double seconds = 0;
};

// `built` has passed the other gates. Takes the device for itself while the profiler runs; a profiler that
// refuses for good is not asked again on this rank.
Task<Profiled> profile_version(Bench& bench, std::shared_ptr<Workbench> work, MepReport report, Built built);

// The ceilings as the rules of profiles want them.
ProfileCeilings profile_ceilings(const DeviceFacts& device);

}  // namespace noctune
