// Sums over iterations: updates of a place that does not move with a loop which their terms depend on.
#pragma once

#include <set>
#include <string>

#include "coordinator/rules/statement.hpp"

namespace noctune {

// `loaded`: integers that come from an array; a sum into a place that they choose is a reduction too.
bool has_reduction(const rules::Statements& body, const std::set<std::string>& loaded);

}  // namespace noctune
