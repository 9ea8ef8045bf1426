// Completes an isolated kernel into a MEP by rules, without a model: roles from what the bodies do, extents
// from index texts and loop bounds, sizes from guards and names, contents from how values are used.
#pragma once

#include "base/error.hpp"
#include "model/mep_draft.hpp"

namespace noctune {

// Fails where a person (or a model) has to say more: the error names what is missing and what to add.
Result<MepDraft> complete_by_rules(const CompletionInput& input);

}  // namespace noctune
