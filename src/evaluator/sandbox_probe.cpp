#include "evaluator/sandbox_probe.hpp"

#include "evaluator/hello.hpp"

namespace noctune {
namespace {

// Sizes and seeds as sizing and the coordinator would leave them.
MepReport hello_report() {
  MepReport report;
  report.seeds = {1, 2, 3};
  for (const auto& [name, n] : {std::pair{"time", 1000}, {"odd", 1001}}) {
    SizedCase one;
    one.name = name;
    one.sizes["n"] = n;
    report.cases.push_back(std::move(one));
  }
  return report;
}

std::string with_first_error(std::string message, const std::string& output) {
  const std::string line = first_error(output);
  return line.empty() || message.find(line) != std::string::npos ? message : message + ": " + line;
}

}  // namespace

Task<std::string> try_hello(Bench& bench, PlatformSettings platform) {
  Workbench workbench(bench, hello_task(std::move(platform)));
  const Built built = co_await workbench.build();
  if (built.verdict != Verdict::ok) co_return with_first_error(built.message, built.diagnostics);
  if (const Result<void> adopted = workbench.adopt(hello_report()); !adopted)
    co_return adopted.error().text();
  const DriverRun run = co_await workbench.reference();
  if (run.verdict() != Verdict::ok) co_return with_first_error(run.message(), run.outcome.output);
  if (run.report->gpu) {
    bench.device.name = run.report->gpu->name;
    bench.device.last_level_cache_bytes = run.report->gpu->l2_bytes;
    bench.device.gpu.multiprocessors = run.report->gpu->multiprocessors;
  }
  co_return std::string();
}

Task<void> settle_sandbox(Bench& bench, PlatformSettings platform, SandboxState& state) {
  bench.sandbox = state.level;
  if ((co_await try_hello(bench, platform)).empty()) co_return;
  const std::string trouble = co_await try_hello(bench, platform);  // a busy machine's fault would not repeat
  if (trouble.empty()) co_return;
  for (const SandboxLevel& weaker : weaker_levels(state.level)) {
    if (bench.stopping) break;
    bench.sandbox = weaker;
    const std::string still = co_await try_hello(bench, platform);
    if (!still.empty()) continue;
    state.level = weaker;
    state.trouble = trouble;
    co_return;
  }
  bench.sandbox = state.level;
}

}  // namespace noctune
