// Versions of an entry that exist to test the check itself. Pure text.
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

// The spec's signature and an empty body.
std::string null_version(const MepSpec& spec);

// Some buffer holds floating-point numbers narrower than double.
bool has_narrow_floats(const MepSpec& spec);

// Some do, and nothing stands in the way of making them wide: structs and vector types of context.hpp have no
// double twin.
bool can_be_widened(const MepSpec& spec);

// The original with every float a double, for a run with widened buffers (Mutation::widened). It need not
// compile: vector intrinsics, structs of its own with floats and the like have no double twin.
std::string widened_version(const MepSpec& spec, const std::string& original);

}  // namespace noctune
