// K(0)'s text: the source less what only the host needs, with the entry behind it, and context.hpp where the
// entry's types are the source's own.
#pragma once

#include "base/error.hpp"
#include "mep/completion/completion_state.hpp"

namespace noctune {

// The functions that the chosen kernels call, themselves included.
std::set<std::string> needed_functions(const SourceFacts& facts, const ChosenKernels& chosen);

// Fills draft.original and draft.context. Needs the whole spec.
Result<void> isolate_source(CompletionState& state);

}  // namespace noctune
