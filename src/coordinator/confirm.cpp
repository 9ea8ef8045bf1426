#include "coordinator/confirm.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "coordinator/gather.hpp"

namespace noctune {
namespace {

std::vector<Attempt> best_attempts(const ArmGround& ground, const std::vector<Attempt>& attempts) {
  std::vector<Attempt> best;
  for (const Attempt& attempt : attempts)
    if (attempt.verdict == Verdict::ok && attempt.candidate.id != ground.original.id &&
        attempt.total_speedup > 1)
      best.push_back(attempt);
  std::stable_sort(best.begin(), best.end(),
                   [](const Attempt& a, const Attempt& b) { return a.total_speedup > b.total_speedup; });
  if (best.size() > static_cast<std::size_t>(ground.task.search.confirm_top))
    best.resize(static_cast<std::size_t>(ground.task.search.confirm_top));
  return best;
}

void tell(const ArmServices& s, const ArmGround& ground, const Finalist& finalist,
          const std::vector<Evaluation>& pairs) {
  const std::string who = "candidate " + std::to_string(finalist.candidate.id);
  if (finalist.refused) {
    const Evaluation& bad = pairs[*finalist.refused];
    s.memory.event(ground.hotspot, true,
                   who + " failed its confirmation: " + to_text(bad.verdict) + ", " + bad.message);
  } else if (finalist.complete()) {
    s.memory.event(ground.hotspot, false,
                   who + " against the original in " + std::to_string(finalist.log_speedups.size()) +
                       " fresh process pairs: " + fixed(finalist.speedup, 2) + " [" + fixed(finalist.low, 2) +
                       ", " + fixed(finalist.high, 2) + "]");
  }
}

Task<Finalist> race(ArmServices s, const ArmGround& ground, Candidate candidate) {
  std::vector<Task<Evaluation>> pairs;
  for (int process = 0; process < ground.task.search.confirm_pairs; ++process) {
    EvaluationTask task;
    task.setup = ground.task;
    task.report = ground.mep;
    task.candidate = candidate;
    task.reference = ground.original;
    task.purpose = Purpose::confirm;
    task.process = process;
    pairs.push_back(s.measuring.evaluate(std::move(task)));
  }
  const std::vector<Evaluation> evaluations = co_await gather(s.io, std::move(pairs));
  Finalist out{confirmation_of(evaluations), candidate};
  tell(s, ground, out, evaluations);
  co_return out;
}

}  // namespace

Task<std::vector<Finalist>> confirm_best(ArmServices services, const ArmGround& ground,
                                         const std::vector<Attempt>& attempts) {
  std::vector<Task<Finalist>> races;
  for (const Attempt& attempt : best_attempts(ground, attempts))
    races.push_back(race(services, ground, attempt.candidate));
  std::vector<Finalist> finalists = co_await gather(services.io, std::move(races));
  std::erase_if(finalists, [](const Finalist& one) { return !one.complete(); });
  std::stable_sort(finalists.begin(), finalists.end(),
                   [](const Finalist& a, const Finalist& b) { return a.speedup > b.speedup; });
  co_return finalists;
}

}  // namespace noctune
