#include "coordinator/promise.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace noctune {
namespace {

const double usual_log_gain = std::log(1.2);  // of a round about which nothing is known
constexpr double fading = 0.5;                // of a round's weight with each later one
constexpr double largest_weight = 4;

double saved_part(double log_gain) {
  return 1 - std::exp(-log_gain);
}

// Of each round the best gain over its baseline, at least none.
std::map<int, double> log_gains(const std::vector<Attempt>& attempts) {
  std::map<int, double> out;
  for (const Attempt& one : attempts) {
    if (one.candidate.base == 0) continue;  // the original
    double& best = out[one.round];
    if (one.verdict == Verdict::ok && one.speedup > 1) best = std::max(best, std::log(one.speedup));
  }
  return out;
}

}  // namespace

double promise(double share, const std::vector<Attempt>& attempts) {
  double best = 1;
  for (const Attempt& one : attempts)
    if (one.verdict == Verdict::ok) best = std::max(best, one.total_speedup);
  double sum = usual_log_gain, weights = 1;
  for (const auto& [round, gain] : log_gains(attempts)) {
    sum = fading * sum + gain;
    weights = fading * weights + 1;
  }
  return share / best * saved_part(sum / weights);
}

double device_weight(double promised, double mean_share) {
  const double usual = mean_share * saved_part(usual_log_gain);
  return usual > 0 ? std::clamp(promised / usual, 1 / largest_weight, largest_weight) : 1;
}

}  // namespace noctune
