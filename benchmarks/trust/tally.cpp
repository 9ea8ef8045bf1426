#include "trust/tally.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

namespace noctune::trust {
namespace {

template <class... Values>
std::string line(const char* format, Values... values) {
  char out[320];
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

// The experiments of one kernel and planted size.
struct Level {
  Kernel kernel;
  int planted = 0, batch = 1;
  int experiments = 0, failed = 0, faster = 0, slower = 0, finalists = 0, promoted = 0;
  std::vector<double> screened, confirmed, spreads, pair_deviations, times;

  void add(const Experiment& one) {
    kernel = one.kernel;
    planted = one.planted;
    ++experiments;
    failed += !one.problem.empty();
    if (!one.problem.empty()) return;
    faster += one.verdict == GainVerdict::faster;
    slower += one.verdict == GainVerdict::slower;
    finalists += one.finalist;
    promoted += one.promoted;
    batch = one.batch;
    times.push_back(1e3 * one.kernel_s);
    spreads.push_back(100 * one.spread);
    screened.push_back(log_percent(one.screened));
    if (!one.confirmation.complete()) return;
    confirmed.push_back(log_percent(one.confirmation.speedup));
    pair_deviations.push_back(100 * standard_deviation(one.confirmation.log_speedups));
  }
};

std::vector<Level> levels_of(const std::vector<Experiment>& experiments) {
  std::map<std::tuple<std::string, double, int>, Level> levels;
  for (const Experiment& one : experiments) levels[{one.kernel.kind, one.kernel.ms, one.planted}].add(one);
  std::vector<Level> out;
  for (const auto& [key, level] : levels) out.push_back(level);
  return out;
}

std::string share_text(int hits, int tries) {
  const Interval share = clopper_pearson(hits, tries);
  char out[80];
  std::snprintf(out, sizeof out, "%5.1f %% [%.2f, %.2f]", tries > 0 ? 100.0 * hits / tries : 0,
                100 * share.low, 100 * share.high);
  return out;
}

std::string verdict_table(const std::vector<Level>& levels) {
  std::string out = line("%-16s %7s %11s %6s %9s %8s %9s %6s %17s %6s   %-24s %s", "kernel", "planted",
                         "experiments", "failed", "finalists", "promoted", "confirmed", "faster",
                         "indistinguishable", "slower", "promoted [95 %]", "faster [95 %]");
  for (const Level& level : levels) {
    const int judged = level.experiments - level.failed;
    out += line("%-16s %5d %% %11d %6d %9d %8d %9d %6d %17d %6d   %-24s %s", label(level.kernel).c_str(),
                level.planted, level.experiments, level.failed, level.finalists, level.promoted,
                static_cast<int>(level.confirmed.size()), level.faster, judged - level.faster - level.slower,
                level.slower, share_text(level.promoted, judged).c_str(),
                share_text(level.faster, judged).c_str());
  }
  return out;
}

// Screenings are pairs of fresh processes, each with another binary: their spread is that between processes.
std::string noise_table(const std::vector<Level>& levels) {
  std::string out =
      line("%-16s %7s %12s %6s %14s %14s %14s %14s %14s", "kernel", "planted", "measured", "calls",
           "median screen", "sd of screens", "median confirm", "sd of pairs", "median noise");
  for (const Level& level : levels)
    out += line("%-16s %5d %% %9.4f ms %6d %12.3f %% %12.3f %% %12.3f %% %12.3f %% %12.3f %%",
                label(level.kernel).c_str(), level.planted, quantile(level.times, 0.5), level.batch,
                quantile(level.screened, 0.5), standard_deviation(level.screened),
                quantile(level.confirmed, 0.5), quantile(level.pair_deviations, 0.5),
                quantile(level.spreads, 0.5));
  return out +
         "(percent of log speed-up; calls: of one sample; screens: fresh pairs of processes; noise: what "
         "baselining\n found between processes of K(0))\n";
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

std::string campaign_line(const std::vector<Experiment>& hotspots) {
  Level all;
  for (const Experiment& one : hotspots) all.add(one);
  char out[240];
  std::snprintf(out, sizeof out,
                "%s, %d %%: %d experiments, %d failed, screened %.3f to %.3f %%, %d promoted, %d faster",
                label(all.kernel).c_str(), all.planted, all.experiments, all.failed,
                quantile(all.screened, 0), quantile(all.screened, 1), all.promoted, all.faster);
  return out;
}

std::string tally_table(const std::vector<Experiment>& experiments) {
  const std::vector<Level> levels = levels_of(experiments);
  return verdict_table(levels) + "\n" + noise_table(levels) + "\n" + error_rate_of_the_test(experiments) +
         costs(experiments);
}

std::string calibration_table(const std::vector<Calibration>& calibrations) {
  std::string out =
      line("%-16s %7s %12s %20s   %s", "kernel", "planted", "measured", "difference seen", "95 % interval");
  for (const Calibration& one : calibrations)
    out += one.problem.empty()
               ? line("%-16s %5d %% %9.4f ms %18.2f %%   %.2f to %.2f %%", label(one.kernel).c_str(),
                      one.planted, 1e3 * one.kernel_s, 100 * (one.speedup - 1), 100 * (one.low - 1),
                      100 * (one.high - 1))
               : label(one.kernel) + " " + std::to_string(one.planted) + " %: " + one.problem + "\n";
  return out;
}

Json to_json(const Experiment& one) {
  Json timings = Json::array();
  for (const TimingSummary& timing : one.timings)
    timings.push_back({{"schedule", timing.schedule},
                       {"reference_samples", timing.reference_samples},
                       {"samples", timing.samples}});
  return {{"timings", std::move(timings)},
          {"kernel", one.kernel.kind},
          {"wanted_ms", one.kernel.ms},
          {"n", one.kernel.n},
          {"batch", one.batch},
          {"planted_percent", one.planted},
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
  return {{"kernel", one.kernel.kind}, {"wanted_ms", one.kernel.ms}, {"planted_percent", one.planted},
          {"kernel_s", one.kernel_s},  {"speedup", one.speedup},     {"low", one.low},
          {"high", one.high},          {"problem", one.problem}};
}

}  // namespace noctune::trust
