// The arguments of a case: data sets and parameters once the sizes are known. Internal to resolve_case().
#pragma once

#include <vector>

#include "mep/case.hpp"
#include "mep/data/data_shape.hpp"
#include "mep/leaves.hpp"
#include "model/expression.hpp"

namespace noctune {

Result<ArgPlan> resolve_arg(const Leaf& leaf, const MepSpec& spec, const std::vector<DataShape>& shapes,
                            const Symbols& symbols);

// The error, with the place it arose at.
Failure in_place(const Error& error, const std::string& place);

}  // namespace noctune
