// Sums and extremes over the lanes of a warp or block, in words that both CUDA and HIP know.
#pragma once

#include <string>

#include "coordinator/rules/gpu/accumulator.hpp"
#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {

// Adds the macro SHUFFLE_DOWN(value, offset, lanes) where the source lacks it.
void need_shuffle(const Work& work, std::vector<Edit>& edits);

// A loop after which the first of `lanes` neighbours holds the accumulators of all of them.
std::string lane_combination(const std::vector<Accumulator>& accumulators, long long lanes);

// The same for a block of `threads`, a power of two from 32 on; every thread of the block must come by.
std::string block_combination(const Work& work, const std::vector<Accumulator>& accumulators,
                              long long threads);

}  // namespace noctune::rules::gpu
