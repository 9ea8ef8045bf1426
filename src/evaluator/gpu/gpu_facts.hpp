// What an evaluator must know of its GPU before it builds anything.
#pragma once

#include <string>

#include "evaluator/workbench.hpp"

namespace noctune {

// Fills name, architecture and the environment of measured processes in bench.device; does nothing for other
// backends. Returns why there is no such device, or nothing.
Task<std::string> learn_gpu(Bench& bench, PlatformSettings platform);

}  // namespace noctune
