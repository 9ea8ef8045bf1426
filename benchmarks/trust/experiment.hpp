// One experiment: what a campaign does with one candidate of one hotspot, by the evaluator and the rules that
// a campaign uses.
#pragma once

#include <string>
#include <vector>

#include "evaluator/gain.hpp"
#include "evaluator/workbench.hpp"

namespace noctune::trust {

struct Settings {
  double kernel_ms = 1;
  int repeats = 30;
  double flush_mb = -1;      // as platform.flush_mb
  bool confirm_all = false;  // also what screening would drop; verdicts stay the flow's
};

struct Experiment {
  int planted = 0, number = 0;
  std::string problem;  // why it gave no verdict
  double kernel_s = 0, spread = 0, smallest_gain = 0;
  double screened = 0, screened_low = 0, screened_high = 0;  // speed-up at screening, 95 % interval
  bool promoted = false;                                     // screening alone: a round would take it over
  bool finalist = false;                                     // the flow would confirm it
  Confirmation confirmation;
  double adjusted_p = 1;
  GainVerdict verdict = GainVerdict::indistinguishable;
  double build_s = 0, check_and_screen_s = 0;  // of the candidate; the second is what comes beyond the build
  double total_s = 0;                          // with baselining and confirmation
  std::vector<TimingSummary> timings;          // screening, then the pairs: every sample
};

// Everything but the verdict, which needs the other hotspots of its campaign.
Task<Experiment> run_experiment(Bench& bench, int planted, int number, Settings settings);

// The flow's verdicts on the hotspots of one campaign: Holm over all, then interval and significance.
void conclude_campaign(std::vector<Experiment>& hotspots);

// The planted ratio as a long measurement sees it.
struct Calibration {
  int planted = 0;
  double kernel_s = 0, speedup = 0, low = 0, high = 0;
  std::string problem;
};
Task<Calibration> calibrate(Bench& bench, int planted, Settings settings);

}  // namespace noctune::trust
