// All that is known when a model is asked about a hotspot. The prompts decide what of it a model sees.
#pragma once

#include <string>
#include <vector>

#include "coordinator/services.hpp"
#include "model/hypothesis.hpp"
#include "model/pattern.hpp"

namespace noctune {

struct OfferedPattern {
  long long id = 0;  // shown as "P3"
  Pattern pattern;
  std::string evidence;  // "1.4x on gemm, 2 of 3 uses"; may be empty
};

struct PromptInput {
  PrepareTask task;
  MepReport report;
  DeviceFacts device;
  std::vector<Attempt> history;          // in the order of their beginning
  long long base = 0;                    // candidate to improve; one that history does not hold is K(0)
  std::vector<long long> references;     // further versions worth a look
  std::string guidance;                  // of the profiler; may be empty
  std::vector<OfferedPattern> patterns;  // the first five are shown
  KernelFeatures features;               // what patterns may be conditioned on
  int rounds_left = 0;                   // this one included; 0 = not said
  int attempts_left = 0;                 // of a repair, this one included; 0 = not said
};

}  // namespace noctune
