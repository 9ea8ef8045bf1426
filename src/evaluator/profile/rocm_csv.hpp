// Tables of AMD's and Hygon's profilers, one row per dispatch. Columns about the launch get common names
// (grid_threads, block_size, shared_bytes, scratch_bytes, registers, duration_ns); counters keep theirs, and
// those of several units, "TCC_HIT[0]", "TCC_HIT[1]", are added up under one.
#pragma once

#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "evaluator/profile/kernel_metrics.hpp"

namespace noctune {

Result<KernelRows> read_rocprof_csv(std::string_view text);    // rocprof, first version
Result<KernelRows> read_rocprofv3_csv(std::string_view text);  // counter_collection.csv: a line per counter
Result<KernelRows> read_hipprof_csv(std::string_view text);    // hipprof --pmc --pmc-type 3

// Several runs of one program that counted different things: the same dispatches in the same order, else an
// error. Of a counter that two runs have, the first holds.
Result<KernelRows> join_passes(const std::vector<KernelRows>& passes);

// The rows of one call of the entry, after warm-up; fewer where there are not as many.
KernelRows rows_of_call(const KernelRows& rows, std::size_t skip, std::size_t count);

}  // namespace noctune
