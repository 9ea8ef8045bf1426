// Gate 4: reference and candidate timed in two processes that take turns, in random order within each round.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/checking.hpp"
#include "evaluator/driver_run.hpp"
#include "model/task.hpp"

namespace noctune {

// R rounds of both sides, each round "ab" or "ba" at random.
std::string random_schedule(int rounds, std::uint64_t seed);

struct TimingPlan {
  int repeats = 30;
  int trim = 3;
  std::uint64_t order_seed = 0;
  std::size_t flush_bytes = 0;
};

// One case as a pair of drivers will run it. Values of inputs follow from `work`'s first seed, so the
// reference's outputs for the verified sample are the same for every candidate.
TimeRun timing_run(const WorkCase& work, const TimingPlan& plan);

struct Timed {
  Verdict verdict = Verdict::lost;
  std::string message;
  TimingSummary summary;
  DriverRun candidate;  // holds the verified outputs
};

// Judges what the two processes left; the reference failing is our fault (lost), never the candidate's.
Timed judge_timing(const WorkCase& work, const TimingPlan& plan, DriverRunner::Pair pair);

// Speed-up over all time cases: geometric mean weighted by the cases' weights, and so its interval's ends.
void combine_timings(Evaluation& evaluation);

}  // namespace noctune
