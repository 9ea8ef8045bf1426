#include "model/pattern_json.hpp"

#include <cmath>

#include "model/reading_json.hpp"

namespace noctune {
Json to_json(const Pattern& p) {
  return {{"name", p.name},         {"category", p.category},    {"when", p.when},
          {"what", p.what},         {"pitfalls", p.pitfalls},    {"status", to_text(p.status)},
          {"revision", p.revision}, {"drafted_on", p.drafted_on}};
}

Json to_json(const PatternEvidence& e) {
  return {{"pattern", e.pattern},   {"campaign", e.campaign}, {"hotspot", e.hotspot},
          {"platform", e.platform}, {"features", e.features}, {"log_ratio", e.log_ratio},
          {"verdict", e.verdict},   {"gain", e.gain},         {"candidate", e.candidate},
          {"base", e.base}};
}

Json to_json(const PatternTrial& t) {
  return {{"pattern", t.pattern}, {"campaign", t.campaign}, {"hotspot", t.hotspot},
          {"slot", t.slot},       {"used", t.used},         {"outcome", t.outcome}};
}

Result<Pattern> pattern_from(const Json& json) {
  return reading<Pattern>(json, "pattern", [&](Pattern& out) {
    std::string status = to_text(out.status);
    take(json, "name", out.name);
    take(json, "category", out.category);
    take(json, "when", out.when);
    take(json, "what", out.what);
    take(json, "pitfalls", out.pitfalls);
    take(json, "status", status);
    take(json, "revision", out.revision);
    take(json, "drafted_on", out.drafted_on);
    out.status = pattern_status_from(status);
  });
}

Result<PatternEvidence> pattern_evidence_from(const Json& json) {
  Result<PatternEvidence> out =
      reading<PatternEvidence>(json, "evidence of a pattern", [&](PatternEvidence& one) {
        take(json, "pattern", one.pattern);
        take(json, "campaign", one.campaign);
        take(json, "hotspot", one.hotspot);
        take(json, "platform", one.platform);
        take(json, "features", one.features);
        take(json, "log_ratio", one.log_ratio);
        take(json, "verdict", one.verdict);
        take(json, "gain", one.gain);
        take(json, "candidate", one.candidate);
        take(json, "base", one.base);
      });
  if (out && !std::isfinite(out->log_ratio))
    return fail("this is no evidence of a pattern", "its log_ratio is no finite number");
  return out;
}

Result<PatternTrial> pattern_trial_from(const Json& json) {
  return reading<PatternTrial>(json, "trial of a pattern", [&](PatternTrial& out) {
    take(json, "pattern", out.pattern);
    take(json, "campaign", out.campaign);
    take(json, "hotspot", out.hotspot);
    take(json, "slot", out.slot);
    take(json, "used", out.used);
    take(json, "outcome", out.outcome);
  });
}

}  // namespace noctune
