// Contents of the arrays whose values decide which elements others touch: row pointers and columns, lists and
// their counts, gathered and scattered positions.
#pragma once

#include "mep/completion/completion_state.hpp"

namespace noctune {

// Fills settled ("col!max"), inits and the spec's data. Needs schedule and accesses.
void plan_index_contents(CompletionState& state);

// Whole numbers from 0 to `high`.
InitSpec integers_up_to(const Polynomial& high);

}  // namespace noctune
