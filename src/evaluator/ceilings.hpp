// What a device can do at most, measured: the floor under every believable time (the roofline of Williams,
// Waterman and Patterson, 2009).
#pragma once

#include <optional>
#include <string>

#include "evaluator/workbench.hpp"

namespace noctune {

// Reading with all threads from working sets of several sizes, and fused multiply-adds in both precisions.
// What is better than what `bench.device` has replaces it, so a busy moment can be measured again. Returns
// why that was not possible; empty when it was.
Task<std::string> measure_ceilings(Bench& bench, PlatformSettings platform);

struct RooflineFloor {
  double seconds = 0;  // no call can take less
  std::string words;   // "8.4 MB at 21 GB/s"
};
// Nothing where the case states neither bytes nor flops, or nothing was measured. Memory speed is that of the
// fastest level which a quarter of the bytes could come from; a fifth is granted on top for what the
// measurement missed.
std::optional<RooflineFloor> roofline_floor(const std::vector<Ceiling>& ceilings, const SizedCase& sized,
                                            bool single_precision);

}  // namespace noctune
