// Experiments summed up: pure numbers and text.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "evaluator/statistics.hpp"
#include "trust/experiment.hpp"

namespace noctune::trust {

// 95 % interval of a share of which `hits` of `tries` were seen. Clopper and Pearson (1934).
Interval clopper_pearson(int hits, int tries);

// "memory 1 ms, 0 %: 8 experiments, ..." of one campaign.
std::string campaign_line(const std::vector<Experiment>& hotspots);
std::string tally_table(const std::vector<Experiment>& experiments);
std::string calibration_table(const std::vector<Calibration>& calibrations);

Json to_json(const Experiment& experiment);
Json to_json(const Calibration& calibration);

}  // namespace noctune::trust
