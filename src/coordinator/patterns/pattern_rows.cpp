#include "coordinator/patterns/pattern_rows.hpp"

namespace noctune {

Json pattern_row(const Pattern& pattern) {
  return {{"name", pattern.name},
          {"category", pattern.category},
          {"when", Json(pattern.when).dump()},
          {"what", pattern.what},
          {"pitfalls", pattern.pitfalls},
          {"status", to_text(pattern.status)},
          {"drafted_on", pattern.drafted_on},
          {"revision", pattern.revision}};
}

Json evidence_row(const PatternEvidence& evidence, const EvidenceIds& ids) {
  return {{"pattern", ids.pattern},
          {"hotspot", ids.hotspot},
          {"candidate", ids.candidate},
          {"base", ids.base},
          {"platform", evidence.platform},
          {"log_ratio", evidence.log_ratio},
          {"verdict", evidence.verdict},
          {"gain", evidence.gain ? 1 : 0},
          {"features", Json(evidence.features).dump()}};
}

Json trial_row(const PatternTrial& trial, long long pattern, long long hotspot, long long call) {
  return {{"pattern", pattern},         {"hotspot", hotspot},       {"call", call},
          {"used", trial.used ? 1 : 0}, {"outcome", trial.outcome}, {"slot", trial.slot}};
}

}  // namespace noctune
