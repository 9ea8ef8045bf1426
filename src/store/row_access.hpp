// Members of a journal row, with a fallback where they are absent or of another type.
#pragma once

#include <string>

#include "base/json.hpp"

namespace noctune {

long long integer_in(const Json& row, const char* key, long long fallback = -1);
double number_in(const Json& row, const char* key, double fallback = 0);
std::string text_in(const Json& row, const char* key);
// An empty object when absent.
const Json& object_in(const Json& row, const char* key);

}  // namespace noctune
