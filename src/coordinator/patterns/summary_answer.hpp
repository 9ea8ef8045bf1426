// A model's answer to "summarise what worked": patterns as JSON, with prose around it.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/pattern.hpp"

namespace noctune {

inline constexpr std::size_t most_patterns_per_answer = 8;

// Patterns from {"patterns": [...]} or a list, in one fenced block or bare. Fields name, category, when,
// what, pitfalls; anything else, claims of gain for instance, is ignored. Drafts with revision 0. Entries
// with missing or overlong texts or conditions that cannot be checked are left out and described in
// `problems`; an error when there is no such JSON, or no entry is left.
Result<std::vector<Pattern>> read_patterns(const std::string& text,
                                           std::vector<std::string>* problems = nullptr);

// The JSON schema of the answer, for the prompt: names every feature and its values.
std::string pattern_schema_text();

}  // namespace noctune
