// The profilers that can run a driver: how each is called and how its tables are read. Pure text; the gate
// that runs them is evaluator/profiling.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "evaluator/profile/profile_facts.hpp"
#include "evaluator/profile/profile_sources.hpp"

namespace noctune {

// One run of the driver, which makes two calls of the entry: one to warm up, and one between its marks.
struct ProfilerPass {
  std::vector<std::string> command;          // before the driver and its arguments
  std::map<std::string, std::string> files;  // that it reads in the folder it runs in
  std::vector<std::string> table_ends;       // how the names of the tables end that it leaves there
};

// Launches of one call that are counted at most, since each is replayed.
inline constexpr int most_profiled_launches = 16;

// By the program's name: ncu, rocprof, rocprofv2, rocprofv3, hipprof; no pass for any other.
std::vector<ProfilerPass> profiler_passes(const std::string& program);

// The tables of all passes, in their order, as the facts of one call; `ceilings` get what the tables tell of
// the device.
Result<ProfileFacts> read_profile(const std::string& program, const std::vector<std::string>& tables,
                                  ProfileCeilings& ceilings);

}  // namespace noctune
