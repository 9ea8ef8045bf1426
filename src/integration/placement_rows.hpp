// A placement as rows of the results.
#pragma once

#include "integration/placement.hpp"
#include "store/recorder.hpp"

namespace noctune {

// The attempt, its runs and its patch; a hotspot that was measured alone gets its integrated speed-up.
void record_placement(Recorder& recorder, const Placement& placement);

}  // namespace noctune
