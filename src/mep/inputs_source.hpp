// The user's generators, inputs.cpp: what they are declared as, how they are compiled and how the driver
// calls them. Where a spec names none, the driver's call does nothing.
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

// Whether the spec has data that inputs.cpp makes.
bool needs_inputs(const MepSpec& spec);

// inputs.hpp: <entry>_make_<data>(sizes in the spec's order, seed, one pointer per part).
std::string inputs_header(const MepSpec& spec);
// inputs.cpp as it is compiled: behind context.hpp and these declarations, so that other parameters do not
// compile.
std::string inputs_source(const std::string& text);
// Defines make_inputs() of entry.hpp; belongs behind the rest of glue.cpp.
std::string inputs_glue(const MepSpec& spec);

}  // namespace noctune
