#include "evaluator/noise.hpp"

#include <algorithm>
#include <cmath>

#include "base/digest.hpp"
#include "evaluator/timing.hpp"

namespace noctune {
namespace {

constexpr int pairs = 3;

}  // namespace

Task<DeviceNoise> measure_noise(std::shared_ptr<Workbench> bench, std::vector<OutputTolerance> tolerances) {
  DeviceNoise out;
  const SearchSettings& search = bench->task().search;
  TimingRules rules{tolerances};
  rules.allowed.threads = rules.allowed.arithmetic = true;  // K(0) may do what it does
  TimingPlan plan;
  plan.trim = search.trim;
  plan.repeats = search.repeats;
  plan.flush_bytes = bench->flush_bytes();
  const double limit = bench->task().mep_limits.t_max_s * 4 + bench->task().limits.run_s;
  double squares = 0;
  int count = 0;
  for (int pair = 0; pair < pairs; ++pair) {
    for (const WorkCase& work : bench->cases()) {
      if (work.sized.use != CaseUse::time) continue;
      plan.order_seed = random_u64();
      DriverRunner::Pair both = co_await bench->run_pair(bench->original().file, bench->original().file,
                                                         timing_run(work, plan), limit);
      out.call_seconds = std::max(out.call_seconds, both.b.outcome.seconds);
      Timed timed = judge_timing(work, plan, rules, std::move(both));
      if (timed.verdict != Verdict::ok) {
        out.verdict = timed.verdict;
        out.message = std::move(timed.message);
        co_return out;
      }
      squares += std::pow(std::log(timed.summary.speedup), 2);
      ++count;
      if (pair == 0) out.timings.push_back(std::move(timed.summary));
    }
  }
  out.spread = std::sqrt(squares / std::max(count, 1));
  co_return out;
}

}  // namespace noctune
