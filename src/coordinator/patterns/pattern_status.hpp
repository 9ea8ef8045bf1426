// What is believed of a pattern, as a pure function of its evidence, so that it never depends on who wrote
// what first.
#pragma once

#include <vector>

#include "model/pattern.hpp"

namespace noctune {

// A pattern is retired once its uses without gain reach this many for every gain, and one lot more.
inline constexpr int failures_per_gain = 5;
// No single hotspot speaks for or against all others.
inline constexpr int hotspots_to_retire = 2;

// `written`: the status in the pattern's text, which a person may have set. Written as retired, it stays so.
// A draft is admitted after a gain on another hotspot than the one it was drafted on; where it was drafted on
// none, after gains on two. Draft or admitted, it is retired after failures_per_gain * (gains + 1) uses
// without gain, on hotspots_to_retire hotspots at least.
PatternStatus status_from(PatternStatus written, const std::string& drafted_on,
                          const std::vector<PatternEvidence>& evidence);

}  // namespace noctune
