// The table of tools. A new one: a file here that defines its ProfileTool, a line below, one in tool_table.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/text.hpp"
#include "evaluator/profile/hints.hpp"

namespace noctune {

extern const ProfileTool coalescing_tool, excess_traffic_tool, l2_locality_tool, access_width_tool,
    spills_tool, occupancy_tool, bank_conflicts_tool, memory_latency_tool, barriers_tool, tail_tool,
    launch_bound_tool, pipe_mix_tool, matrix_unit_tool, divergence_tool, atomics_tool;

inline bool is_one_of(BottleneckClass kind, std::initializer_list<BottleneckClass> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// How far `value` is on the way from `limit` to `worst`.
inline double severity_between(double value, double limit, double worst) {
  return std::clamp((value - limit) / (worst - limit), 0.0, 1.0);
}

// "12.3", "4": whole numbers without a tail.
inline std::string plain(double value) {
  return value == static_cast<double>(static_cast<long long>(value)) ? fixed(value, 0) : fixed(value, 1);
}

inline std::string whole_percent(double share) {
  return fixed(100 * share, 0) + " %";
}

}  // namespace noctune
