// Completes a MEP on this device: builds driver and K(0), chooses sizes, learns K(0)'s outputs, noise and
// time, and refuses a MEP whose check could be passed by doing nothing.
#pragma once

#include "evaluator/workbench.hpp"

namespace noctune {

Task<Baselined> baseline_mep(std::shared_ptr<Workbench> bench, double last_level_cache_bytes);

}  // namespace noctune
