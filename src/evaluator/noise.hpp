// How much K(0) differs from itself on this device, between fresh process pairs: what no gain may hide
// behind.
#pragma once

#include <string>
#include <vector>

#include "evaluator/workbench.hpp"

namespace noctune {

struct DeviceNoise {
  Verdict verdict = Verdict::ok;  // of the first pair that could not be timed
  std::string message;
  double spread = 0;                   // standard deviation of log ratios over pairs and cases
  double call_seconds = 0;             // longest driver process
  std::vector<TimingSummary> timings;  // of the first pair, by time case
};

// Times K(0) against itself, every time case in three fresh process pairs.
Task<DeviceNoise> measure_noise(std::shared_ptr<Workbench> bench, std::vector<OutputTolerance> tolerances);

}  // namespace noctune
