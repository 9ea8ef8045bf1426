#include "evaluator/energy.hpp"

namespace noctune {
namespace {

// The counters move about every 100 ms, so windows are long beside that.
constexpr double busy_seconds = 3, idle_seconds = 1;
constexpr double settling_seconds = 0.5;  // of the calls are left out at the start,
constexpr double leaving_seconds = 0.5;   // and of the process at its end, which frees its memory

}  // namespace

std::optional<double> joules_per_call(const Workbench::Sustained& found, double calls_seconds) {
  if (found.run.verdict() != Verdict::ok || !found.run.report->probe || found.idle.empty()) return {};
  const double last = found.ended - leaving_seconds, first = found.ended - calls_seconds + settling_seconds;
  const auto busy = mean_power(found.busy, first, last);
  const auto idle = mean_power(found.idle, found.idle.front().time, found.idle.back().time);
  if (!busy || !idle || *busy <= *idle) return {};
  return (*busy - *idle) * found.run.report->probe->seconds_per_call;
}

Task<std::optional<double>> energy_per_call(std::shared_ptr<Workbench> work, MepReport report,
                                            std::filesystem::path plugin) {
  const WorkCase* heaviest = work->heaviest(report);
  if (!heaviest) co_return std::nullopt;
  ProbeRun probe;
  probe.resolved = heaviest->by_seed.front();
  probe.seed = report.seeds.front();
  probe.seconds = busy_seconds;
  probe.kind = ProbeKind::sustained;
  const Workbench::Sustained found =
      co_await work->run_sustained(std::move(plugin), std::move(probe), idle_seconds);
  co_return joules_per_call(found, busy_seconds);
}

}  // namespace noctune
