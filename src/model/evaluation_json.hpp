// Candidate and Evaluation as JSON, complete (samples included), for MPI payloads (CBOR) and the journal.
// Text that is not UTF-8 and numbers that are not finite survive both encodings.
// Decoding: a missing member keeps its default, except `source` and `verdict`; a wrong type is an error.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/evaluation.hpp"

namespace noctune {

Json to_json(const Candidate& candidate);
Json to_json(const Evaluation& evaluation);
Result<Candidate> candidate_from_json(const Json& json);
Result<Evaluation> evaluation_from_json(const Json& json);

// A string; or {"latin1": ...} with a code point per byte where the bytes are not UTF-8.
Json text_to_json(std::string_view text);
Result<std::string> text_from_json(const Json& json);
// A number; null for NaN, "inf" and "-inf" for the infinities.
Json number_to_json(double value);
Result<double> number_from_json(const Json& json);

}  // namespace noctune
