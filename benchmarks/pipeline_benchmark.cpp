// One evaluator with more proposals than it can judge: seconds per build, evaluations per minute, and the
// share of the wall time in which it neither builds nor measures. build/bin/pipeline_benchmark [candidates]
#include <cstdio>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/run_to_end.hpp"
#include "base/topology.hpp"
#include "coordinator/gather.hpp"
#include "evaluator/evaluator_host.hpp"
#include "evaluator/statistics.hpp"
#include "model/mep_spec_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

constexpr double look_every_s = 1e-3;
constexpr int in_flight = 2;  // as the pool keeps it

struct Shares {
  double wall = 0, neither = 0, measuring = 0, building = 0, nothing = 0;
};

// Looks once a millisecond at what is at work.
Task<void> watch(const Activity& activity, const bool& ended, Shares& shares) {
  double before = steady_seconds();
  while (!ended) {
    co_await sleep_for(look_every_s);
    const double now = steady_seconds(), step = now - before;
    before = now;
    shares.wall += step;
    const bool building = activity.count(Activity::Kind::building) > 0;
    const bool measuring = activity.count(Activity::Kind::measuring) > 0;
    if (building) shares.building += step;
    if (measuring) shares.measuring += step;
    if (!building && !measuring) shares.neither += step;
    if (activity.idle()) shares.nothing += step;
  }
}

std::string variant(const std::string& source, int number) {
  return source + "\nstatic const int variant_number = " + std::to_string(number) +
         ";\nextern \"C\" int variant() { return variant_number; }\n";
}

struct Lane {
  Evaluator& evaluator;
  EvaluationTask task;
  int& next;
  int last;
  std::vector<double>& build_seconds;
};

Task<int> work(Lane lane) {
  int ok = 0;
  while (lane.next < lane.last) {
    EvaluationTask task = lane.task;
    task.candidate.source = variant(task.reference.source, lane.next++);
    task.candidate.proposer = "user";
    const Evaluation evaluation = co_await lane.evaluator.evaluate(std::move(task));
    ok += evaluation.verdict == Verdict::ok;
    if (evaluation.verdict != Verdict::ok)
      std::printf("%s: %s\n", to_text(evaluation.verdict), evaluation.message.c_str());
    lane.build_seconds.push_back(evaluation.seconds.build);
  }
  co_return ok;
}

Task<void> measure(Bench& bench, int candidates) {
  Evaluator evaluator(bench);
  EvaluationTask task;
  const std::string folder = NOCTUNE_SOURCE_DIR "/hotspots/";
  task.setup.mep.hotspot = "gemm";
  task.setup.mep.original = value_or_throw(read_file(folder + "gemm.cpp"));
  task.setup.mep.spec = read_mep_spec(value_or_throw(read_json(folder + "gemm.mep.json")));
  task.setup.mep.flags = task.setup.platform.flags;
  const Baselined done = co_await evaluator.prepare(task.setup);
  if (!done.report.usable) {
    std::printf("%s\n", done.report.message.c_str());
    co_return;
  }
  task.report = done.report;
  task.reference.source = task.setup.mep.original;
  task.reference.proposer = "original";
  Shares shares;
  bool ended = false;
  asio::co_spawn(bench.io, watch(bench.activity, ended, shares), asio::detached);
  int next = 0;
  std::vector<double> build_seconds;
  std::vector<Task<int>> lanes;
  const Stopwatch stopwatch;
  for (int i = 0; i < in_flight; ++i)
    lanes.push_back(work({evaluator, task, next, candidates, build_seconds}));
  int ok = 0;
  for (const int count : co_await gather(bench.io, std::move(lanes))) ok += count;
  const double wall = stopwatch.seconds();
  ended = true;
  co_await sleep_for(2 * look_every_s);
  std::printf("%-58s %12d of %d\n", "candidates that passed every gate", ok, candidates);
  std::printf("%-58s %12.2f s\n", "seconds per candidate build, median", median(build_seconds));
  std::printf("%-58s %12.1f 1/min\n", "evaluations", 60 * candidates / wall);
  std::printf("%-58s %12.3f\n", "share of wall time measuring", shares.measuring / shares.wall);
  std::printf("%-58s %12.3f\n", "share of wall time building", shares.building / shares.wall);
  std::printf("%-58s %12.3f\n", "share with neither building nor measuring", shares.neither / shares.wall);
  std::printf("%-58s %12.3f\n", "share with nothing at work (not even checking)",
              shares.nothing / shares.wall);
}

int run(int candidates) {
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()));
  asio::io_context io;
  DeviceFacts facts;
  facts.measured_cpus = facts.build_cpus = allowed_cpus();
  facts.shares_token = true;
  facts.last_level_cache_bytes = read_host().last_level_cache_bytes;
  EvaluatorHost host(io, helper, facts, "benchmark");
  run_to_end(io, measure(host.bench(), candidates));
  return 0;
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  return noctune::run(argc > 1 ? std::atoi(argv[1]) : 40);
}
