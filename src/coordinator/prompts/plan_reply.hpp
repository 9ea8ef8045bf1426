// Reads the JSON that plans are answered with: tolerant of its form, strict about its meaning.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/hypothesis.hpp"

namespace noctune {

// Comments, trailing commas, text around and an object around the list are fine. An entry without name, known
// mechanism or description is left out; an error when none remains. At most twenty are read.
Result<std::vector<Hypothesis>> read_plan(const std::string& reply);

// One of `mechanisms` for words that mean it ("memory", "tiling and reuse"); empty for others.
std::string mechanism_from(const std::string& words);

}  // namespace noctune
