// Original against patched application in plain numbers: pairs of runs in, a speed-up and a verdict out.
#pragma once

#include <string>
#include <vector>

#include "evaluator/gain.hpp"

namespace noctune {

// The figures of merit of one pair.
struct MeritPair {
  double original = 0, patched = 0;
};

// Above 1: the patched application is better. Student t on the logs, 95 % interval.
Confirmation integrated_gain(const std::vector<MeritPair>& pairs, bool higher_is_better);

// The most that an application can gain of which `share` of the run time is sped up by `standalone` (Amdahl
// 1967); 0 where the share is not known.
double amdahl_ceiling(double share, double standalone);

// Empty, or why a gain is not believed: the whole interval is beyond the ceiling.
std::string disbelief(const Confirmation& gain, double ceiling, double share);

// Empty, or that alone and inside disagree, one faster and the other slower.
std::string disagreement(double standalone, const Confirmation& gain);

}  // namespace noctune
