// The spec's sizes: which names are some, how large they start, what must divide them.
#pragma once

#include "base/error.hpp"
#include "mep/completion/completion_state.hpp"

namespace noctune {

// Whole numbers by value that only pick a row, a column or a step (k, pass): they get a range below the size
// they index, so that extents and values can follow. Needs accesses.
void settle_picking_scalars(CompletionState& state);
bool is_picking_scalar(const CompletionState& state, const std::string& name);

// Fills spec.sizes from the names in the counts, bounds and schedule of the spec so far. `literals`: values
// that a call of the kernel shows, by name.
Result<void> plan_sizes(CompletionState& state, const std::map<std::string, std::string>& literals);

bool is_whole_number_type(const CompletionState& state, const std::string& base);

}  // namespace noctune
