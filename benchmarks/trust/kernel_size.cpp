// The size is found by timing pairs as experiments are timed, batches and sweeps included: a single call of a
// few microseconds is mostly launching.
#include <algorithm>
#include <cmath>

#include "base/digest.hpp"
#include "evaluator/statistics.hpp"
#include "evaluator/timing.hpp"
#include "trust/kernel.hpp"

namespace noctune::trust {
namespace {

constexpr std::size_t most_tries = 12;
constexpr double close_enough = 0.1;
constexpr double longest_step = 16;
constexpr long long largest_n = 50'000'000;
constexpr double limit_s = 60;

MepReport report_for(long long n, int batch) {
  MepReport out;
  for (int i = 0; i < check_seeds; ++i) out.seeds.push_back(random_u64());
  SizedCase timed;
  timed.name = "time";
  timed.sizes = {{"n", n}};
  timed.batch = batch;
  out.cases.push_back(std::move(timed));
  return out;
}

// Seconds a call.
Task<Result<double>> measured(Workbench& work, TimingPlan plan) {
  TimeRun run = timing_run(work.cases().front(), plan);
  const DriverRunner::Pair pair =
      co_await work.run_pair(work.original().file, work.original().file, std::move(run), limit_s);
  if (pair.b.verdict() != Verdict::ok || !pair.b.report->time)
    co_return fail("the kernel cannot be timed", pair.b.message());
  std::vector<double> seconds;
  for (const Sample& sample : pair.b.report->time->samples) seconds.push_back(sample.seconds);
  co_return median(seconds) / pair.b.report->time->batch;
}

struct Point {
  double n = 0, seconds = 0;
  double off(double wanted) const { return std::abs(std::log(seconds / wanted)); }
};

// Time is taken for a line through the last two sizes, since launching costs what no size changes; where it
// was flat, for proportional.
long long next_size(const std::vector<Point>& tried, double wanted) {
  const Point& last = tried.back();
  double next = last.n * wanted / last.seconds;
  if (tried.size() == 1) next = std::max(next, 2 * last.n);
  if (tried.size() > 1) {
    const Point& before = tried[tried.size() - 2];
    const double slope = (last.seconds - before.seconds) / (last.n - before.n);
    if (slope > 0) next = last.n + (wanted - last.seconds) / slope;
  }
  next = std::clamp(next, last.n / longest_step, last.n * longest_step);
  return std::clamp(std::llround(next), 2LL, largest_n);
}

}  // namespace

Task<Result<Kernel>> sized(Bench& bench, Kernel kernel, Measuring measuring) {
  const PrepareTask task = kernel_task(kernel, 0, measuring);
  Workbench work(bench, task);
  const Built built = co_await work.build();
  if (built.verdict != Verdict::ok) co_return fail(label(kernel), built.message, built.diagnostics);
  const int batch = std::max(1, static_cast<int>(std::ceil(task.mep_limits.t_min_ms / kernel.ms)));
  TimingPlan plan;
  plan.repeats = 9;
  plan.flush_bytes = work.flush_bytes();
  const double wanted = 1e-3 * kernel.ms;
  std::vector<Point> tried;
  long long n = task.mep.spec.sizes.front().value;
  while (tried.size() < most_tries && !bench.stopping) {
    if (const Result<void> adopted = work.adopt(report_for(n, batch)); !adopted)
      co_return Failure(adopted.error());
    const Result<double> seconds = co_await measured(work, plan);
    if (!seconds) co_return Failure(seconds.error());
    tried.push_back({static_cast<double>(n), *seconds});
    if (tried.back().off(wanted) < close_enough) break;
    const long long next = next_size(tried, wanted);
    if (next == n) break;
    n = next;
  }
  const auto closer = [wanted](const Point& a, const Point& b) { return a.off(wanted) < b.off(wanted); };
  if (!tried.empty()) kernel.n = std::llround(std::min_element(tried.begin(), tried.end(), closer)->n);
  co_return kernel;
}

}  // namespace noctune::trust
