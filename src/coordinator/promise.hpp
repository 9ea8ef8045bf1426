// What a hotspot's next round is likely to save of the application's time, so that devices go where they gain
// most. A rule of thumb for sharing devices, never for a verdict.
#pragma once

#include <vector>

#include "coordinator/services.hpp"

namespace noctune {

// `share` of the application's time that the hotspot takes as it was found, in any unit that its hotspots
// have in common. After the best version so far share / speed-up is left of it; a further round is expected
// to gain what recent rounds did, mixed with what a first round usually does. The unit of `share`.
double promise(double share, const std::vector<Attempt>& attempts);

// The part of the devices for a hotspot of that promise: 1 for one that has seen no round and has the mean
// share, and within a factor of 4 of that for any other, so that none starves.
double device_weight(double promised, double mean_share);

}  // namespace noctune
