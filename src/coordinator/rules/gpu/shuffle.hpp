// Sums over the lanes of a warp, in words that both CUDA and HIP know.
#pragma once

#include <string>

#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {

// Adds the macro SHUFFLE_DOWN(value, offset, lanes) where the source lacks it.
void need_shuffle(const Work& work, std::vector<Edit>& edits);

// A loop after which the first of `lanes` neighbours holds the sum of each of the names.
std::string lane_sum(const std::vector<std::string>& names, long long lanes);

}  // namespace noctune::rules::gpu
