// A loop that only accumulates: its iterations may be dealt out to several threads, whose sums are combined.
// The order of sums changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coordinator/rules/gpu/accumulator.hpp"
#include "coordinator/rules/gpu/core_loop.hpp"

namespace noctune::rules::gpu {

struct SplitSum {
  CoreLoop parts;
  std::vector<Accumulator> sums;
};
// Of kernels with one index along x, or with none; nothing where the order of iterations matters otherwise.
std::optional<SplitSum> split_sum_in(const Work& work, const KernelForm& form);

// The declarations before the loop for the thread that `thread` numbers: the start of a sum counts once, in
// number 0; largest and smallest values may start from it everywhere.
Statements starts(const SplitSum& split, const std::string& thread);

}  // namespace noctune::rules::gpu
