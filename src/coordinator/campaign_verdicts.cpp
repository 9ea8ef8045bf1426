#include "coordinator/campaign_verdicts.hpp"

#include <algorithm>

#include "evaluator/statistics.hpp"

namespace noctune {
namespace {

// Of one arm over all hotspots; 1 where nothing was confirmed.
std::vector<double> adjusted_p_values(const std::vector<TuningResult>& results, std::size_t arm) {
  std::vector<double> out;
  for (const TuningResult& result : results) {
    const bool confirmed = arm < result.arms.size() && !result.arms[arm].finalists.empty();
    out.push_back(confirmed
                      ? hotspot_p_value(result.arms[arm].finalists.front(), result.arms[arm].finalists.size())
                      : 1);
  }
  return holm(out);
}

ArmRow arm_row(long long hotspot, const TuningResult& result, const ArmResult& arm, double adjusted_p,
               double min_gain) {
  ArmRow row;
  row.hotspot = hotspot;
  row.arm = arm.arm.name;
  row.replicate = arm.arm.replicate;
  row.verdict = verdict_for(arm, adjusted_p, min_gain);
  row.best_candidate = result.original.id;
  row.speedup = row.low = row.high = 1;
  if (row.verdict == HotspotVerdict::faster) {
    const Finalist& winner = arm.finalists.front();
    row.best_candidate = winner.candidate.id;
    row.speedup = winner.speedup;
    row.low = winner.low;
    row.high = winner.high;
  }
  row.candidates = arm.usage.candidates;
  row.calls = arm.usage.calls;
  row.tokens = arm.usage.tokens;
  row.cost = arm.usage.cost;
  row.device_seconds = arm.usage.device_seconds;
  return row;
}

}  // namespace

HotspotVerdict verdict_for(const ArmResult& result, double adjusted_p, double min_gain) {
  if (result.finalists.empty()) return HotspotVerdict::indistinguishable;
  const bool real = judge_gain(result.finalists.front(), adjusted_p, min_gain) == GainVerdict::faster;
  return real ? HotspotVerdict::faster : HotspotVerdict::indistinguishable;
}

std::vector<std::vector<ArmRow>> arm_rows(const std::vector<TuningResult>& results,
                                          const std::vector<long long>& ids, double min_gain) {
  std::size_t arms = 0;
  for (const TuningResult& result : results) arms = std::max(arms, result.arms.size());
  std::vector<std::vector<ArmRow>> out(results.size());
  for (std::size_t arm = 0; arm < arms; ++arm) {
    const std::vector<double> adjusted = adjusted_p_values(results, arm);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (arm < results[i].arms.size())
        out[i].push_back(arm_row(ids[i], results[i], results[i].arms[arm], adjusted[i], min_gain));
  }
  return out;
}

HotspotRow pending_row(const PrepareTask& task, double share) {
  HotspotRow row;
  row.name = task.mep.hotspot;
  row.backend = task.platform.backend;
  row.entry = task.mep.spec.entry;
  row.share = share;
  return row;
}

HotspotRow concluded(HotspotRow row, const TuningResult& result, const std::vector<ArmRow>& arms) {
  if (arms.empty()) {
    row.verdict = HotspotVerdict::failed;
    return row;
  }
  const ArmRow& main = arms.front();
  row.verdict = main.verdict;
  row.best_candidate = main.best_candidate;
  row.standalone_speedup = main.speedup;
  row.standalone_low = main.low;
  row.standalone_high = main.high;
  if (main.verdict == HotspotVerdict::faster) {
    row.baseline_time = result.main()->finalists.front().baseline_seconds;
    row.best_time = result.main()->finalists.front().seconds;
  }
  std::vector<double> direct;
  for (const ArmRow& one : arms)
    if (one.arm == "direct") direct.push_back(one.speedup);
  if (!direct.empty()) row.direct_speedup = geometric_mean(direct);
  return row;
}

}  // namespace noctune
