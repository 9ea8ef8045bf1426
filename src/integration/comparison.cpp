#include "integration/comparison.hpp"

#include <cmath>

#include "base/text.hpp"
#include "evaluator/statistics.hpp"

namespace noctune {
namespace {

// Shares are rough figures, and so is what lies around a kernel.
constexpr double leeway = 1.1;

}  // namespace

Confirmation integrated_gain(const std::vector<MeritPair>& pairs, bool higher_is_better) {
  Confirmation out;
  for (const MeritPair& pair : pairs) {
    const double log_ratio = std::log(pair.original / pair.patched);
    out.log_speedups.push_back(higher_is_better ? -log_ratio : log_ratio);
    out.baseline_seconds += pair.original / static_cast<double>(pairs.size());
    out.seconds += pair.patched / static_cast<double>(pairs.size());
  }
  if (!out.complete()) return out;
  const StudentResult t = student_t(out.log_speedups);
  out.speedup = std::exp(t.mean);
  out.low = std::exp(t.low);
  out.high = std::exp(t.high);
  out.p_value = t.p_value;
  return out;
}

double amdahl_ceiling(double share, double standalone) {
  if (!(share > 0) || share > 1 || !(standalone > 0)) return 0;
  return 1 / (1 - share + share / standalone);
}

std::string disbelief(const Confirmation& gain, double ceiling, double share) {
  if (ceiling <= 0 || gain.low <= leeway * ceiling) return "";
  return "at least " + fixed(gain.low, 2) + "x inside the application, but its share of " + percent(share) +
         " of the run time allows " + fixed(ceiling, 2) +
         "x at most; either the share is too small or the patched application leaves out work";
}

std::string disagreement(double standalone, const Confirmation& gain) {
  if (standalone > 1 && gain.complete() && gain.high < 1)
    return "alone it is faster, inside the application slower";
  return "";
}

}  // namespace noctune
