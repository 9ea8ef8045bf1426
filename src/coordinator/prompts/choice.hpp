// Which hypotheses of a plan are written.
#pragma once

#include <vector>

#include "coordinator/services.hpp"
#include "model/hypothesis.hpp"

namespace noctune {

// At most n, from different mechanisms as far as there are any; among them a radical one, one that combines
// wins once history has two, and one without patterns, where the plan has such. What was tried by name comes
// last; else the plan's order stands. Where n is too small for all wishes, rounds take turns.
std::vector<Hypothesis> choose(std::vector<Hypothesis> plan, int n, const std::vector<Attempt>& history,
                               int round);

}  // namespace noctune
