// A thread that sums down a column of memory becomes a column of threads in its block: each row of threads
// still reads neighbours together, and the rows of the loop are dealt out among them. Their sums meet in
// shared memory, in the order of the rows of threads. For matrices with too few columns to fill a device.
#include <algorithm>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/loop_guard.hpp"
#include "coordinator/rules/gpu/shared_loop.hpp"
#include "coordinator/rules/gpu/split_sum.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

// Neighbouring threads read neighbouring elements, other ones in each iteration.
bool runs_down_columns(const KernelForm& form, const CoreLoop& parts) {
  if (form.indices.empty()) return false;
  const std::string &index = form.indices[0].name, &counter = parts.loop.name;
  const Substitution places = places_in(parts.loop.body);
  bool down = false;
  for (const ExprPtr& load : loads_of(parts.loop.body, written_arrays(form.kernel->body))) {
    const ExprPtr subscript = substitute(load->args[1], places);
    if (!mentions(subscript, index)) continue;
    const auto stride = stride_of(subscript, index);
    if (!stride || *stride != 1) return false;
    down |= mentions(subscript, counter);
  }
  return down;
}

struct Block {
  long long columns = 32, groups = 32;
};

constexpr long long shared_bytes = 48 * 1024;  // that a block may declare

bool fits(const SplitSum& column, const Block& block) {
  long long bytes = 0;
  for (const Accumulator& one : column.sums) {
    if (bytes_of(one.type) == 0) return false;
    bytes += bytes_of(one.type) * block.columns * block.groups;
  }
  return bytes <= shared_bytes;
}

std::string kernel_text(const Work& work, const KernelForm& form, const SplitSum& column,
                        const Block& block) {
  const std::string group = fresh_name(work.program, "group"), other = fresh_name(work.program, "other");
  const std::string guard = guard_text(form);
  const std::string groups = std::to_string(block.groups), columns = std::to_string(block.columns);
  const SharedLoop shared = {column.parts.loop, written_arrays(form.kernel->body), group, groups};
  std::string arrays, store, combined;
  for (const Accumulator& one : column.sums) {
    const std::string parts = fresh_name(work.program, one.name + "_parts");
    arrays += "__shared__ " + one.type + " " + parts + "[" + groups + "][" + columns + "];\n";
    store += parts + "[" + group + "][threadIdx.x] = " + one.name + ";\n";
    combined += one.name + " = " + parts + "[0][threadIdx.x];\n";
    combined += "for (int " + other + " = 1; " + other + " < " + groups + "; ++" + other + ") {\n" +
                combine(one, parts + "[" + other + "][threadIdx.x]") + "}\n";
  }
  return fill_template(R"(  const $type $index = blockIdx.x * $columns + threadIdx.x;
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
                        {"columns", columns},
                        {"group", group},
                        {"head", print(form.head, 0)},
                        {"arrays", arrays},
                        {"guard", guard.empty() ? "true" : guard},
                        {"starts", print(starts(column, group), 0)},
                        {"loop", single_loop_text(work, shared)},
                        {"store", store},
                        {"before", print(column.parts.before, 0)},
                        {"combined", combined},
                        {"after", print(column.parts.after, 0)}});
}

}  // namespace

bool column_groups(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const Block block = {step.integer("x", 32), step.integer("groups", 32)};
  if (block.columns < 32 || block.columns % 32 != 0) return false;
  if (block.groups < 2 || block.columns * block.groups > 1024) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work, Grids::fixed_too)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto column = split_sum_in(work, form);
    if (!column || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    if (!runs_down_columns(form, column->parts) || !fits(*column, block)) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *column, block)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(*launch,
                                  {blocks_for(launch->extent[0], block.columns), number(1), number(1)},
                                  {block.columns, block.groups, 1}));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
