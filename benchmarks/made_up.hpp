// An evaluation as a campaign records it, with numbers that differ, so that compression has real work.
#pragma once

#include <random>
#include <string>

#include "base/clock.hpp"
#include "model/evaluation.hpp"

namespace noctune {

inline Evaluation made_up_evaluation(std::mt19937_64& random, int samples) {
  std::lognormal_distribution<double> seconds(-6, 0.02);
  Evaluation evaluation;
  evaluation.verdict = Verdict::ok;
  evaluation.binary_sha = std::string(64, 'b');
  evaluation.started = wall_seconds();
  evaluation.speedup = 1.1;
  evaluation.check.passed = true;
  TimingSummary timing;
  timing.case_name = "main";
  timing.trimmed_mean = timing.median = timing.minimum = seconds(random);
  for (int i = 0; i < samples; ++i) {
    timing.samples.push_back(seconds(random));
    timing.reference_samples.push_back(seconds(random));
    timing.schedule += i % 2 ? "ba" : "ab";
  }
  evaluation.timings.push_back(timing);
  return evaluation;
}

}  // namespace noctune
