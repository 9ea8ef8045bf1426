// A thread that sums over a loop becomes a column of threads in its block, among which the loop's iterations
// are dealt out. Each row of threads still reads neighbours, or all the same, together. The sums meet in
// shared memory, always in the same order. For columns and bodies that are too few to fill a device.
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/loop_guard.hpp"
#include "coordinator/rules/gpu/shared_loop.hpp"
#include "coordinator/rules/gpu/split_sum.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

// In each iteration neighbouring threads read neighbouring elements, or all the same one.
bool reads_together(const KernelForm& form, const CoreLoop& parts) {
  if (form.indices.empty()) return false;
  if (!is_uniform(parts.loop.lower, form, "") || !is_uniform(upper_bound(parts.loop), form, "")) return false;
  const std::string &index = form.indices[0].name, &counter = parts.loop.name;
  const Substitution places = places_in(parts.loop.body);
  bool reads = false;
  for (const ExprPtr& load : loads_of(parts.loop.body, written_arrays(form.kernel->body))) {
    const ExprPtr subscript = substitute(load->args[1], places);
    if (!mentions(subscript, counter)) continue;
    reads = true;
    if (!mentions(subscript, index)) continue;
    const auto stride = stride_of(subscript, index);
    if (!stride || *stride != 1) return false;
  }
  return reads;
}

struct Block {
  long long width = 32, groups = 32;
};

constexpr long long shared_bytes = 48 * 1024;  // that a block may declare

bool fits(const SplitSum& split, const Block& block) {
  long long bytes = 0;
  for (const Accumulator& one : split.sums) {
    if (bytes_of(one.type) == 0) return false;
    bytes += bytes_of(one.type) * block.width * block.groups;
  }
  return bytes <= shared_bytes;
}

std::string kernel_text(const Work& work, const KernelForm& form, const SplitSum& split, const Block& block) {
  const std::string group = fresh_name(work.program, "group"), other = fresh_name(work.program, "other");
  const std::string guard = guard_text(form);
  const std::string groups = std::to_string(block.groups), width = std::to_string(block.width);
  const SharedLoop shared = {split.parts.loop, written_arrays(form.kernel->body), group, groups};
  std::string arrays, store, combined;
  for (const Accumulator& one : split.sums) {
    const std::string parts = fresh_name(work.program, one.name + "_parts");
    arrays += "__shared__ " + one.type + " " + parts + "[" + groups + "][" + width + "];\n";
    store += parts + "[" + group + "][threadIdx.x] = " + one.name + ";\n";
    combined += one.name + " = " + parts + "[0][threadIdx.x];\n";
    combined += "for (int " + other + " = 1; " + other + " < " + groups + "; ++" + other + ") {\n" +
                combine(one, parts + "[" + other + "][threadIdx.x]") + "}\n";
  }
  return fill_template(R"(  const $type $index = blockIdx.x * $width + threadIdx.x;
  const int $group = threadIdx.y;
  $head
  $arrays
  if ($guard) {
    $starts
    $loop
    $store
  }
  __syncthreads();
  if ($group == 0 && ($guard)) {
    $before
    $combined
    $after
  }
)",
                       {{"type", plain_type(form.indices[0].type)},
                        {"index", form.indices[0].name},
                        {"width", width},
                        {"group", group},
                        {"head", print(form.head, 0)},
                        {"arrays", arrays},
                        {"guard", guard.empty() ? "true" : guard},
                        {"starts", print(starts(split, group), 0)},
                        {"loop", single_loop_text(work, shared)},
                        {"store", store},
                        {"before", print(split.parts.before, 0)},
                        {"combined", combined},
                        {"after", print(split.parts.after, 0)}});
}

}  // namespace

bool thread_rows(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const Block block = {step.integer("x", 32), step.integer("groups", 32)};
  if (block.width < 32 || block.width % 32 != 0) return false;
  if (block.groups < 2 || block.width * block.groups > 1024) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work, Grids::fixed_too)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto split = split_sum_in(work, form);
    if (!split || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    if (!reads_together(form, split->parts) || !fits(*split, block)) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *split, block)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(*launch, {blocks_for(launch->extent[0], block.width), number(1), number(1)},
                                  {block.width, block.groups, 1}));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
