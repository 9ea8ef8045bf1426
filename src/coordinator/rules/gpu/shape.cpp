// Other block shapes: the grid follows, and a constant that stands for the block's width becomes blockDim.
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"

namespace noctune::rules::gpu {
namespace {

// The declaration of an index with a constant width says blockDim instead.
void free_width(const Work& work, const KernelForm& form, std::vector<Edit>& edits) {
  Statements body = form.kernel->body;
  bool changed = false;
  const char* axes[] = {"x", "y", "z"};
  for (Statement& statement : body)
    for (const ThreadIndex& index : form.indices) {
      if (statement.kind != StatementKind::declare || statement.name != index.name) continue;
      if (index.width->text.rfind("blockDim", 0) == 0) continue;
      const std::string axis = axes[index.axis];
      statement.value = variable("blockIdx." + axis + " * blockDim." + axis + " + threadIdx." + axis, "int");
      changed = true;
    }
  if (changed) edits.push_back(body_edit(*work.program.find(form.kernel->name), body));
}

// Guarded along every axis, so threads outside do nothing.
bool fits(const Target& target, const Threads& threads) {
  const long long size = threads[0] * threads[1] * threads[2];
  if (threads[0] < 1 || threads[1] < 1 || threads[2] < 1 || size > 1024 || size < 32) return false;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!target.form.on_axis(axis) && threads[axis] != 1) return false;
  return true;
}

bool is_new(const Target& target, const Threads& threads) {
  for (const Launch* launch : target.launches)
    if (launch->threads != threads) return true;
  return false;
}

}  // namespace

bool block_shape(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const Threads threads = {step.integer("x", 256), step.integer("y", 1), step.integer("z", 1)};
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    if (!wants(step, target.form.kernel->name) || !fits(target, threads) || !is_new(target, threads))
      continue;
    const SourceFunction* facts = work.gpu->function(target.form.kernel->name);
    if (!facts || !facts->launch_bounds.empty()) continue;
    free_width(work, target.form, edits);
    for (const Launch* launch : target.launches) {
      Shape grid = {number(1), number(1), number(1)};
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (target.form.on_axis(axis)) grid[axis] = blocks_for(launch->extent[axis], threads[axis]);
      edits.push_back(launch_edit(*launch, grid, threads));
    }
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
