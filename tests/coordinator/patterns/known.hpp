// Small patterns and evidence for the tests of their library.
#pragma once

#include <string>
#include <vector>

#include "coordinator/patterns/pattern_state.hpp"

namespace noctune::patterns_test {

inline Pattern pattern(const std::string& name, const std::map<std::string, std::string>& when = {}) {
  Pattern out;
  out.name = name;
  out.category = "tiling";
  out.when = when;
  out.what = "what " + name + " does";
  return out;
}

inline PatternEvidence use(const std::string& name, const std::string& hotspot, double log_ratio, bool gain,
                           const std::string& candidate = "c") {
  PatternEvidence out;
  out.pattern = name;
  out.campaign = "campaign";
  out.hotspot = hotspot;
  out.platform = "openmp, CPU, g++";
  out.features = {{"backend", "openmp"}, {"dtype", "f64"}, {"bottleneck", "memory"}};
  out.log_ratio = log_ratio;
  out.verdict = "ok";
  out.gain = gain;
  out.candidate = candidate;
  out.base = "b";
  return out;
}

inline std::vector<PatternEvidence> uses(const std::string& name, const std::string& hotspot, int count,
                                         double log_ratio, bool gain) {
  std::vector<PatternEvidence> out;
  for (int i = 0; i < count; ++i) out.push_back(use(name, hotspot, log_ratio, gain, "c" + std::to_string(i)));
  return out;
}

inline KnownPattern known(const Pattern& pattern, std::vector<PatternEvidence> evidence,
                          PatternStatus status = PatternStatus::draft) {
  KnownPattern out;
  out.pattern = pattern;
  out.pattern.status = status;
  out.evidence = std::move(evidence);
  return out;
}

}  // namespace noctune::patterns_test
