// What the finished searches of all hotspots come to: pure functions of their confirmations.
#pragma once

#include <vector>

#include "coordinator/tuning.hpp"
#include "store/rows.hpp"

namespace noctune {

// The verdict on one hotspot and arm once the p-values of all hotspots are adjusted (Holm): `faster` needs a
// significant gain, `slower` cannot win since the original stays in the race.
HotspotVerdict verdict_for(const ArmResult& result, double adjusted_p, double min_gain);

// For every hotspot the rows of its arms, in their order. P-values are adjusted over the hotspots, for each
// arm and replicate alone: each is a family of its own. `ids`: of the hotspots in the results.
std::vector<std::vector<ArmRow>> arm_rows(const std::vector<TuningResult>& results,
                                          const std::vector<long long>& ids, double min_gain);

// The hotspot's row before its search. `share`: of the application's run time.
HotspotRow pending_row(const PrepareTask& task, double share);

// The hotspot's row with its verdict: that of its first arm; `failed` where no arm could run.
HotspotRow concluded(HotspotRow row, const TuningResult& result, const std::vector<ArmRow>& arms);

}  // namespace noctune
