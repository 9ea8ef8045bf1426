#include "evaluator/gain.hpp"

#include <algorithm>
#include <cmath>

#include "evaluator/statistics.hpp"

namespace noctune {
namespace {

// A gain must exceed this many between-process standard deviations of K(0) against itself.
constexpr double spreads_needed = 3;
constexpr double significance = 0.05;

}  // namespace

double time_saved(double speedup) {
  return 1 - 1 / speedup;
}

double smallest_gain(const SearchSettings& search, double spread) {
  return std::max(search.min_gain, spreads_needed * spread);
}

Confirmation confirmation_of(const std::vector<Evaluation>& pairs) {
  Confirmation out;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].verdict == Verdict::lost) continue;
    if (pairs[i].verdict != Verdict::ok) {
      out.refused = i;
      return out;
    }
    out.log_speedups.push_back(std::log(pairs[i].speedup));
    out.seconds += pairs[i].timings.front().trimmed_mean;
    out.baseline_seconds += pairs[i].timings.front().reference_trimmed_mean;
  }
  if (!out.complete()) return out;
  const StudentResult t = student_t(out.log_speedups);
  const auto judged = static_cast<double>(out.log_speedups.size());
  out.speedup = std::exp(t.mean);
  out.low = std::exp(t.low);
  out.high = std::exp(t.high);
  out.p_value = t.p_value;
  out.seconds /= judged;
  out.baseline_seconds /= judged;
  return out;
}

double hotspot_p_value(const Confirmation& fastest, std::size_t finalists) {
  if (fastest.speedup <= 1) return 1;
  return std::min(1.0, fastest.p_value * static_cast<double>(finalists));
}

const char* to_text(GainVerdict verdict) {
  switch (verdict) {
    case GainVerdict::faster:
      return "faster";
    case GainVerdict::slower:
      return "slower";
    case GainVerdict::indistinguishable:
      break;
  }
  return "indistinguishable";
}

GainVerdict judge_gain(const Confirmation& confirmation, double adjusted_p, double min_gain) {
  if (!(adjusted_p <= significance) || std::abs(time_saved(confirmation.speedup)) < min_gain)
    return GainVerdict::indistinguishable;
  if (confirmation.low > 1) return GainVerdict::faster;
  return confirmation.high < 1 ? GainVerdict::slower : GainVerdict::indistinguishable;
}

}  // namespace noctune
