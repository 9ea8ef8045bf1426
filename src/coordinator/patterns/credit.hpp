// Which finished attempts are evidence for or against a pattern: those that made exactly one change to their
// base, and whose verdict is the candidate's own.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/services.hpp"
#include "model/pattern.hpp"

namespace noctune {

// The name of the pattern that stands for a rule's strategy: "cache tiling" -> "cache-tiling".
std::string pattern_name_of(const std::string& strategy);
// Patterns that went into a version, its bases' through their strategies included: not to be offered again.
std::set<std::string> patterns_used(const Candidate& candidate);

// The one pattern by which a version and its base differ; nothing where more, or something else, changed.
// Rules: one strategy added or removed, no other changed and no parameter of another step. Model: one
// pattern named.
struct PatternChange {
  std::string pattern;
  bool removed = false;  // the base has it, the version has not: the race is read backwards
};
std::optional<PatternChange> pattern_change(const Candidate& candidate, const Candidate& base);

struct CreditContext {
  std::string campaign, hotspot, platform;
  std::function<KernelFeatures(const Candidate& version)> features;  // of the version without the pattern
};

// In the order of the attempts. Pending, lost and duplicate ones say nothing; failures have log ratio 0.
// Where a strategy was removed, only a version that passed every gate says anything.
std::vector<PatternEvidence> evidence_from(const std::vector<Attempt>& attempts,
                                           const CreditContext& context);

// "openmp, AMD EPYC 7763, g++ 12.2.0": what evidence and offers call a platform.
std::string platform_name(const PrepareTask& task, const DeviceFacts& device);

}  // namespace noctune
