// One experiment: what a campaign does with one candidate of one hotspot, by the evaluator and the rules that
// a campaign uses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "evaluator/evaluator.hpp"
#include "evaluator/gain.hpp"
#include "trust/kernel.hpp"

namespace noctune::trust {

// Which candidates meet K(0) in fresh process pairs. The flow confirms finalists; `promoted` leaves out those
// that no round would take over, `all` adds what screening would drop. Verdicts stay the flow's.
enum class Confirm { none, promoted, finalists, all };

struct Settings {
  Measuring measuring;
  Confirm confirm = Confirm::finalists;
};

// A completed hotspot, for one experiment or for all of its kind.
struct Original {
  explicit Original(Bench& bench) : evaluator(bench) {}
  Kernel kernel;
  int planted = 0;
  PrepareTask setup;
  Baselined baselined;
  Evaluator evaluator;
};
Task<std::shared_ptr<Original>> completed(Bench& bench, Kernel kernel, int planted, Measuring measuring);

struct Experiment {
  Kernel kernel;
  int planted = 0, number = 0;
  std::string problem;  // why it gave no verdict
  double kernel_s = 0, spread = 0, smallest_gain = 0;
  int batch = 1;                                             // calls a sample
  double screened = 0, screened_low = 0, screened_high = 0;  // speed-up at screening, 95 % interval
  bool promoted = false;                                     // screening alone: a round would take it over
  bool finalist = false;                                     // the flow would confirm it
  Confirmation confirmation;
  double adjusted_p = 1;
  GainVerdict verdict = GainVerdict::indistinguishable;
  double build_s = 0, check_and_screen_s = 0;  // of the candidate; the second is what comes beyond the build
  double total_s = 0;                          // with confirmation, and completing K(0) where it has its own
  std::vector<TimingSummary> timings;          // screening, then the pairs: every sample
};

// Everything but the verdict, which needs the other hotspots of its campaign.
Task<Experiment> run_experiment(std::shared_ptr<Original> original, int number, Settings settings);

// The flow's verdicts on the hotspots of one campaign of `size`, those that were not reached included: Holm
// over all, then interval and significance.
void conclude_campaign(std::vector<Experiment>& hotspots, std::size_t size);

// The planted ratio as a long measurement sees it.
struct Calibration {
  Kernel kernel;
  int planted = 0;
  double kernel_s = 0, speedup = 0, low = 0, high = 0;
  std::string problem;
};
Task<Calibration> calibrate(std::shared_ptr<Original> original);

}  // namespace noctune::trust
