// From what profilers and compilers said to the facts of one call: the ladder from counters down to the
// task's own numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/profile/bottleneck.hpp"
#include "evaluator/profile/kernel_metrics.hpp"
#include "evaluator/profile/profile_facts.hpp"

namespace noctune {

// The rows of one call, as read_ncu_csv gave them.
ProfileFacts facts_from_ncu(const KernelRows& rows);
// What these rows tell about the device, where `ceilings` does not say it yet: processors, sizes, limits.
void fill_limits_from_ncu(const KernelRows& rows, ProfileCeilings& ceilings);

// The rows of one call, as the readers of rocm_csv.hpp gave them. `compute_units` turns raw counters into
// busy shares; 0 = unknown.
ProfileFacts facts_from_rocm(const KernelRows& rows, const std::string& tool, int compute_units);

// A kernel as the compiler reports it.
struct CompiledKernel {
  std::string kernel;
  std::optional<double> registers;     // per thread
  std::optional<double> spill_bytes;   // stores and loads together
  std::optional<double> stack_bytes;   // scratch of a lane on AMD
  std::optional<double> shared_bytes;  // per block
  std::optional<double> occupancy;     // share of warps that registers, shared memory and block allow
};
// What the task must move and compute, and how long the call takes outside of any profiler.
struct TaskModel {
  std::optional<double> compulsory_bytes, flops, seconds;
};
// The most demanding of the kernels, and rates that the task's own numbers imply.
ProfileFacts facts_from_compiler(const std::vector<CompiledKernel>& kernels);
ProfileFacts facts_from_model(const TaskModel& task);

// Everything that is known: each fact from the best source that has it.
ProfileFacts best_facts(const ProfileFacts& counted, const std::vector<CompiledKernel>& kernels,
                        const TaskModel& task);

}  // namespace noctune
