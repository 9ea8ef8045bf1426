// Types and constants that the source uses and nobody defines: aliases of numbers, block sizes and physical
// constants get a value; anything else is an error that names what to add.
#pragma once

#include "base/error.hpp"
#include "mep/completion/completion_state.hpp"

namespace noctune {

// Adds to input.defines and to the spec's. Needs facts, chosen and needed. Names that turn out to be sizes
// are left to the sizes.
Result<void> supply_missing_names(CompletionState& state);

// "256" for BLOCK_SIZE, "1.4" for GAMMA; nothing where the name does not say.
std::string constant_by_name(const std::string& name);

}  // namespace noctune
