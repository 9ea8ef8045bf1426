// Cache tiling beyond the rule itself: which loops the rule would choose.
#pragma once

#include <string>
#include <vector>

#include "coordinator/rules/rules.hpp"

namespace noctune::rules {

// The loops of every nest that gains from tiles, as in the parameter `loops`: "i+j+k".
std::vector<std::string> tile_bands(const Work& work, long long size);

}  // namespace noctune::rules
