// The sweep over tile sizes: which cache tiles to try next around a recipe.
#pragma once

#include <vector>

#include "coordinator/rules/rule_book.hpp"
#include "coordinator/rules/step_list.hpp"

namespace noctune::rules {

extern const char* const tiled_opening;

// Sizes in the order to be tried: next to the fastest so far first, and beyond the ends where it lies there.
std::vector<long long> tile_sizes(const std::vector<RuleOutcome>& tried);
// Nothing where packed register tiles apply already, and no more once tiles have clearly lost.
std::vector<Steps> cache_variations(const Work& original, const Steps& best,
                                    const std::vector<RuleOutcome>& tried);

}  // namespace noctune::rules
