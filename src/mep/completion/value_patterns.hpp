// What the values of a buffer must be like, from how the code uses them: divisors, roots, flags, keys,
// matrices to be factorised.
#pragma once

#include <optional>
#include <string>

#include "mep/completion/completion_state.hpp"

namespace noctune {

struct ValuePattern {
  InitSpec init;
  std::string why;
};

// Nothing where any bounded value will do. `name` is the entry's, e.g. "a", or a member's, "atom.x"; may add
// a data set to the spec.
std::optional<ValuePattern> values_for(CompletionState& state, const std::string& name, Role role,
                                       bool whole_numbers, const Polynomial& count);

}  // namespace noctune
