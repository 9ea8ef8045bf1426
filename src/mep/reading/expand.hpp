// Macros expanded where a reader has to see what is behind them: those with parameters, and those whose value
// is more than a constant or a type. Sizes and types keep their macro's name.
#pragma once

#include <vector>

#include "mep/reading/prepare.hpp"
#include "mep/reading/tokens.hpp"

namespace noctune::reading {

// Every token of an expansion stands at the place of its use. Bounded in depth and in length.
std::vector<Token> expand(std::vector<Token> tokens, const Macros& macros);

}  // namespace noctune::reading
