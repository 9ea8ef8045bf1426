#include <algorithm>

#include "evaluator/profile/profile_sources.hpp"

namespace noctune {
namespace {

constexpr double compiler_confidence = 0.5, model_confidence = 0.3;

void keep_larger(Fact& fact, const std::optional<double>& value) {
  if (value && (!fact || *value > *fact)) fact = value;
}

}  // namespace

ProfileFacts facts_from_compiler(const std::vector<CompiledKernel>& kernels) {
  ProfileFacts out;
  for (const CompiledKernel& kernel : kernels) {
    if (kernel.registers && (!out.registers || *kernel.registers > *out.registers))
      out.kernel = kernel.kernel;
    keep_larger(out.registers, kernel.registers);
    keep_larger(out.spill_bytes, kernel.spill_bytes);
    keep_larger(out.stack_bytes, kernel.stack_bytes);
    keep_larger(out.shared_bytes, kernel.shared_bytes);
    if (kernel.occupancy) out.occupancy_limit = std::min(out.occupancy_limit.value_or(1), *kernel.occupancy);
  }
  const bool known = std::any_of(fact_fields().begin(), fact_fields().end(),
                                 [&out](const FactField& field) { return (out.*field.value).has_value(); });
  if (!known) return out;
  out.source = ProfileSource::compiler;
  out.confidence = compiler_confidence;
  out.tool = "compiler";
  return out;
}

ProfileFacts facts_from_model(const TaskModel& task) {
  ProfileFacts out;
  out.flops = task.flops;
  if (!task.seconds || *task.seconds <= 0 || (!task.compulsory_bytes && !task.flops)) return out;
  if (task.compulsory_bytes) out.dram_rate = *task.compulsory_bytes / *task.seconds;
  out.source = ProfileSource::model;
  out.confidence = model_confidence;
  out.tool = "model";
  return out;
}

ProfileFacts best_facts(const ProfileFacts& counted, const std::vector<CompiledKernel>& kernels,
                        const TaskModel& task) {
  ProfileFacts out = counted;
  fill_gaps(out, facts_from_compiler(kernels));
  fill_gaps(out, facts_from_model(task));
  return out;
}

}  // namespace noctune
