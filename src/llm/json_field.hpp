// Fields of JSON that somebody else wrote: whatever is missing, null or of another type reads as nothing.
#pragma once

#include <string>

#include "base/json.hpp"

namespace noctune {

// A null value where `json` is no object or has no such key.
const Json& field(const Json& json, const char* key);
// The element, or null.
const Json& element(const Json& json, std::size_t index);
// Empty where it is no string.
std::string text_field(const Json& json, const char* key);
// 0 where it is no number or one that no count can be (negative, above a billion).
long long count_field(const Json& json, const char* key);
bool is_count(const Json& json, const char* key);
// "429" for a string or a number; empty else.
std::string word_field(const Json& json, const char* key);
// Parses repaired UTF-8; discarded where it is no JSON.
Json parsed_reply(std::string_view bytes);

}  // namespace noctune
