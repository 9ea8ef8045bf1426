// The raw page of `ncu --csv`, one row per profiled launch, in base units (ns, byte, byte/s, hz).
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "evaluator/profile/kernel_metrics.hpp"

namespace noctune {

// Columns are found by name. Lines before the table and between its rows are passed over; scaled units are
// brought back to base units. A child's children add rows too: see `process`.
Result<KernelRows> read_ncu_csv(std::string_view text);

}  // namespace noctune
