// Steps of the entry with everything filled in: names, and on a GPU grid, block and dynamic shared memory.
#pragma once

#include "base/error.hpp"
#include "mep/completion/completion_state.hpp"

namespace noctune {

// Fills spec.sequence. Needs schedule and accesses; may make sizes multiples of a block that no guard cuts.
Result<void> plan_launch_shapes(CompletionState& state);

}  // namespace noctune
