// check.cpp for a MEP of the corpus: the entry's reference behind a function that hands it every parameter by
// name.
#pragma once

#include <string>

#include "model/mep_spec.hpp"

namespace noctune {

// Members of structs go by "domain.nx". `reference` is the text of the entry's reference.cpp.
std::string check_by_reference(const MepSpec& spec, const std::string& reference);

}  // namespace noctune
