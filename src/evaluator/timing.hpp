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

// Why a pair deserves a second try, by weight: the machine, or the candidate through it, may have bent the
// numbers. Met twice, the last makes the candidate unstable; for a handicap see count_reference_alone().
enum class Doubt { none, drifted, handicapped, hidden_work };

struct Timed {
  Verdict verdict = Verdict::lost;
  std::string message;
  TimingSummary summary;
  DriverRun candidate;  // holds the verified outputs
  Doubt doubt = Doubt::none;
  std::string doubt_text;
  double seconds = 0;  // spent on it, all tries
};

// The reference was slower beside the candidate than alone: its time alone counts, so that nobody gains by
// slowing it down, and nobody loses by other load.
void count_reference_alone(TimingSummary& summary);

// Of two doubtful tries, whether the first is to be believed rather.
bool less_doubtful(const Timed& one, const Timed& other);

// What the judge is to hold a timing to.
struct TimingRules {
  const std::vector<OutputTolerance>& tolerances;
  double spread = 0;  // of K(0) against itself on this device
  LeftBehind allowed = {};
};

// Judges what the two processes left; the reference failing is our fault (lost), never the candidate's.
Timed judge_timing(const WorkCase& work, const TimingPlan& plan, const TimingRules& rules,
                   DriverRunner::Pair pair);

// Speed-up over all time cases: geometric mean weighted by the cases' weights, and so its interval's ends.
void combine_timings(Evaluation& evaluation);

}  // namespace noctune
