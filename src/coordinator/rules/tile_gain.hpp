// Whether the data of a loop nest outgrow the cache in a way that tiles can cure.
#pragma once

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

// Iterations in the timed case; 100 where unknown.
double trips_of(const Program& program, const Statement& loop);
// `band`: perfectly nested loops from outside in; `outer`: the loops around them.
bool gains_from_tiles(const Work& work, const LoopPath& band, const LoopPath& outer);

}  // namespace noctune::rules
