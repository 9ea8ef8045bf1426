// One attempt to put winners back into their application, and what came of it.
#pragma once

#include <string>
#include <vector>

#include "evaluator/gain.hpp"
#include "integration/application_run.hpp"
#include "integration/proof.hpp"

namespace noctune {

// As the results file names them.
enum class PlacementVerdict {
  faster,
  slower,
  indistinguishable,
  not_used,
  not_placed,
  build_failed,
  run_failed,
  run_timeout,
  not_verified,
  no_metric,
  disbelieved,
  original_failed,
  lost
};
const char* to_text(PlacementVerdict verdict);
PlacementVerdict verdict_of(StepVerdict step);  // of one that failed
PlacementVerdict verdict_of(GainVerdict gain);
// It was measured and is believed.
bool is_measured(PlacementVerdict verdict);

struct ApplicationRunRecord {
  bool patched = false;
  int run = 0;    // of its side, from 0
  int order = 0;  // 0: first of its pair
  double seconds = 0, metric = 0;
  bool verified = false;
};

// In its functions, in one run of each; 0: nobody can tell.
struct KernelTime {
  std::string profiler;
  double original = 0, patched = 0;  // s, summed over threads
};

struct Placement {
  std::string application;
  long long hotspot = -1, candidate = -1;  // -1: all winners together
  std::vector<std::string> hotspots;       // names
  std::vector<std::string> files;
  std::string rule;
  std::string flags;          // of the compiler, that the versions were tuned with beyond the campaign's
  bool flags_passed = false;  // the build command takes them
  double standalone = 0, share = 0, ceiling = 0;  // 0: not known
  Confirmation gain;
  KernelTime kernel;
  UseAnswer use;
  PlacementVerdict verdict = PlacementVerdict::lost;
  std::string reason;
  std::string patch;  // unified diff with a header; empty where nothing was placed
  std::vector<ApplicationRunRecord> runs;
};

}  // namespace noctune
