// When a gain counts as real: one rule, in plain numbers, for the search, for `try` and for the benchmarks.
#pragma once

#include <optional>
#include <vector>

#include "model/campaign.hpp"
#include "model/evaluation.hpp"

namespace noctune {

// The fraction of its baseline's time that a version saves; negative where it is slower.
double time_saved(double speedup);
// A version takes over in a search when it saves more than this: `min_gain`, or three times the noise of K(0)
// against itself between processes (`spread`), whichever is more.
double smallest_gain(const SearchSettings& search, double spread);

// One version against K(0) in fresh process pairs.
struct Confirmation {
  std::vector<double> log_speedups;                    // one per pair that could be judged
  double speedup = 0, low = 0, high = 0, p_value = 1;  // Student t on the logs, 95 % interval
  double seconds = 0, baseline_seconds = 0;            // trimmed means of the first time case, over the pairs
  std::optional<std::size_t> refused;                  // the pair in which a gate refused the version

  // One wrong result disqualifies; lost pairs are nobody's fault, but two must remain.
  bool complete() const { return !refused && log_speedups.size() >= 2; }
};
Confirmation confirmation_of(const std::vector<Evaluation>& pairs);

// The p-value of a hotspot: its fastest finalist's, for as many finalists as were looked at (Bonferroni).
double hotspot_p_value(const Confirmation& fastest, std::size_t finalists);

enum class GainVerdict { faster, slower, indistinguishable };
const char* to_text(GainVerdict verdict);
// `adjusted_p` is the p-value after whatever it was adjusted for: finalists, hotspots. A difference below
// `min_gain` is none, however certain: two binaries of the same code differ by that much.
GainVerdict judge_gain(const Confirmation& confirmation, double adjusted_p, double min_gain);

}  // namespace noctune
