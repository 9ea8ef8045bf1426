// Codecs of patterns, their evidence and their trials, for library files and results.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/pattern.hpp"

namespace noctune {

Json to_json(const Pattern& pattern);
Json to_json(const PatternEvidence& evidence);
Json to_json(const PatternTrial& trial);
// Unknown keys are ignored, missing ones have their defaults; a value of a wrong type is an error.
Result<Pattern> pattern_from(const Json& json);
Result<PatternEvidence> pattern_evidence_from(const Json& json);
Result<PatternTrial> pattern_trial_from(const Json& json);

}  // namespace noctune
