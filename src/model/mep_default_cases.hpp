// The cases of a spec that names none.
#pragma once

#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

// "time", every scaling size open; and, where a size scales, "odd" for checking: sizes that are multiples of
// nothing, as far as each size's own constraints allow.
std::vector<CaseSpec> default_cases(const std::vector<SizeSpec>& sizes);

}  // namespace noctune
