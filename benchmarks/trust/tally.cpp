#include "trust/tally.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace noctune::trust {
namespace {

template <class... Values>
std::string line(const char* format, Values... values) {
  char out[256];
  std::snprintf(out, sizeof out, format, values...);
  return std::string(out) + "\n";
}

// P(X <= hits) of a binomial distribution.
double binomial_at_most(int hits, int tries, double share) {
  if (share <= 0) return 1;
  if (share >= 1) return hits >= tries ? 1 : 0;
  double sum = 0;
  for (int k = 0; k <= hits; ++k)
    sum += std::exp(std::lgamma(tries + 1.0) - std::lgamma(k + 1.0) - std::lgamma(tries - k + 1.0) +
                    k * std::log(share) + (tries - k) * std::log1p(-share));
  return std::min(sum, 1.0);
}

// The share at which a function that falls with it takes the value.
template <class Falling>
double share_where(Falling falling, double value) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (falling(middle) > value ? low : high) = middle;
  }
  return low;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = std::ceil(share * static_cast<double>(values.size())) - 1;
  return values[static_cast<std::size_t>(std::max(at, 0.0))];
}

double log_percent(double speedup) {
  return 100 * std::log(speedup);
}

// The experiments of one planted level.
struct Level {
  int experiments = 0, failed = 0, faster = 0, slower = 0, finalists = 0, promoted = 0;
  std::vector<double> screened, confirmed, spreads, pair_deviations;

  void add(const Experiment& one) {
    ++experiments;
    failed += !one.problem.empty();
    if (!one.problem.empty()) return;
    faster += one.verdict == GainVerdict::faster;
    slower += one.verdict == GainVerdict::slower;
    finalists += one.finalist;
    promoted += one.promoted;
    spreads.push_back(100 * one.spread);
    screened.push_back(log_percent(one.screened));
    if (!one.confirmation.complete()) return;
    confirmed.push_back(log_percent(one.confirmation.speedup));
    pair_deviations.push_back(100 * standard_deviation(one.confirmation.log_speedups));
  }
};

std::map<int, Level> levels_of(const std::vector<Experiment>& experiments) {
  std::map<int, Level> out;
  for (const Experiment& one : experiments) out[one.planted].add(one);
  return out;
}

std::string verdict_table(const std::map<int, Level>& levels) {
  std::string out =
      line("%7s %11s %6s %9s %8s %6s %17s %6s %6s   %s", "planted", "experiments", "failed", "finalists",
           "promoted", "faster", "indistinguishable", "slower", "faster", "95 % interval");
  for (const auto& [planted, level] : levels) {
    const int judged = level.experiments - level.failed;
    const Interval share = clopper_pearson(level.faster, judged);
    out += line("%5d %% %11d %6d %9d %8d %6d %17d %6d %4.1f %%   %.2f to %.2f %%", planted, level.experiments,
                level.failed, level.finalists, level.promoted, level.faster,
                judged - level.faster - level.slower, level.slower,
                judged > 0 ? 100.0 * level.faster / judged : 0, 100 * share.low, 100 * share.high);
  }
  return out;
}

std::string noise_table(const std::map<int, Level>& levels) {
  std::string out = line("%7s %9s %14s %14s %14s %14s %14s", "planted", "confirmed", "median screen",
                         "sd of screens", "median confirm", "sd of pairs", "median noise");
  for (const auto& [planted, level] : levels)
    out += line("%5d %% %9d %12.2f %% %12.2f %% %12.2f %% %12.2f %% %12.2f %%", planted,
                static_cast<int>(level.confirmed.size()), quantile(level.screened, 0.5),
                standard_deviation(level.screened), quantile(level.confirmed, 0.5),
                quantile(level.pair_deviations, 0.5), quantile(level.spreads, 0.5));
  return out + "(percent of log speed-up; noise: what baselining found between processes of K(0))\n";
}

std::string costs(const std::vector<Experiment>& experiments) {
  std::vector<double> build, screen, total;
  for (const Experiment& one : experiments) {
    if (!one.problem.empty()) continue;
    build.push_back(one.build_s);
    screen.push_back(one.check_and_screen_s);
    total.push_back(one.total_s);
  }
  return line("%-58s median %6.2f s, p95 %6.2f s", "build of a candidate", quantile(build, 0.5),
              quantile(build, 0.95)) +
         line("%-58s median %6.2f s, p95 %6.2f s", "check and screening of a candidate beyond its build",
              quantile(screen, 0.5), quantile(screen, 0.95)) +
         line("%-58s median %6.2f s, p95 %6.2f s", "a whole experiment", quantile(total, 0.5),
              quantile(total, 0.95));
}

// How well the test of the confirmation keeps its promise by itself: two-sided, so 5 % are expected of 0.
std::string error_rate_of_the_test(const std::vector<Experiment>& experiments) {
  int confirmed = 0, significant = 0;
  for (const Experiment& one : experiments) {
    if (one.planted != 0 || !one.problem.empty() || !one.confirmation.complete()) continue;
    ++confirmed;
    significant += one.confirmation.p_value <= 0.05;
  }
  if (confirmed == 0) return {};
  return line("%-58s %d of %d", "identical code, p <= 0.05 before any adjustment (5 % expected)", significant,
              confirmed);
}

}  // namespace

Interval clopper_pearson(int hits, int tries) {
  if (tries <= 0) return {0, 1};
  const auto at_most = [&](double share) { return binomial_at_most(hits, tries, share); };
  const auto below = [&](double share) { return binomial_at_most(hits - 1, tries, share); };
  return {hits == 0 ? 0 : share_where(below, 0.975), hits == tries ? 1 : share_where(at_most, 0.025)};
}

std::string tally_table(const std::vector<Experiment>& experiments) {
  const std::map<int, Level> levels = levels_of(experiments);
  return verdict_table(levels) + "\n" + noise_table(levels) + "\n" + error_rate_of_the_test(experiments) +
         costs(experiments);
}

std::string calibration_table(const std::vector<Calibration>& calibrations) {
  std::string out = line("%7s %12s %20s   %s", "planted", "kernel", "measured difference", "95 % interval");
  for (const Calibration& one : calibrations)
    out += one.problem.empty()
               ? line("%5d %% %9.3f ms %18.2f %%   %.2f to %.2f %%", one.planted, 1e3 * one.kernel_s,
                      100 * (one.speedup - 1), 100 * (one.low - 1), 100 * (one.high - 1))
               : line("%5d %% %s", one.planted, one.problem.c_str());
  return out;
}

Json to_json(const Experiment& one) {
  return {{"planted_percent", one.planted},
          {"number", one.number},
          {"problem", one.problem},
          {"kernel_s", one.kernel_s},
          {"spread", one.spread},
          {"smallest_gain", one.smallest_gain},
          {"screened", one.screened},
          {"screened_low", one.screened_low},
          {"screened_high", one.screened_high},
          {"promoted", one.promoted},
          {"finalist", one.finalist},
          {"log_speedups", one.confirmation.log_speedups},
          {"confirmed", one.confirmation.speedup},
          {"low", one.confirmation.low},
          {"high", one.confirmation.high},
          {"p_value", one.confirmation.p_value},
          {"adjusted_p", one.adjusted_p},
          {"verdict", to_text(one.verdict)},
          {"build_s", one.build_s},
          {"check_and_screen_s", one.check_and_screen_s},
          {"total_s", one.total_s}};
}

Json to_json(const Calibration& one) {
  return {{"planted_percent", one.planted},
          {"kernel_s", one.kernel_s},
          {"speedup", one.speedup},
          {"low", one.low},
          {"high", one.high},
          {"problem", one.problem}};
}

}  // namespace noctune::trust
