// Patterns as rows of the results file, for Recorder::row(table, row). Ids are the results file's own.
#pragma once

#include "base/json.hpp"
#include "model/pattern.hpp"

namespace noctune {

struct EvidenceIds {
  long long pattern = -1, hotspot = -1, candidate = -1, base = -1;
};

// /patterns; `status` as the evidence gives it. Add "id" to write a known one again.
Json pattern_row(const Pattern& pattern);
// /pattern_evidence
Json evidence_row(const PatternEvidence& evidence, const EvidenceIds& ids);
// /pattern_trials; `call`: the model call, -1 for the rules.
Json trial_row(const PatternTrial& trial, long long pattern, long long hotspot, long long call);

}  // namespace noctune
