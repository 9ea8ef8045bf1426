// JSON in a model's answer.
#pragma once

#include <string>

#include "base/json.hpp"

namespace noctune {

// The first object, or list of objects, in the text; null where there is none. Comments, trailing commas and
// line ends inside strings are fine; what is nested too deeply is left out.
Json first_json(const std::string& text);

}  // namespace noctune
