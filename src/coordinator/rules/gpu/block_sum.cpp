// atomicAdd of every thread to one place: blocks add up by shuffles first, so there is one atomic per block.
// The order of the sum changes, which atomics never promised.
#include <algorithm>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/shuffle.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

struct BlockSum {
  Statements before;
  std::string place;  // what atomicAdd gets
  ExprPtr value;
  std::string type;
};

// The array behind &out[0], out or out + 0.
std::string array_of(const ExprPtr& place) {
  if (place->kind == ExprKind::variable) return place->text;
  const bool address = place->kind == ExprKind::unary && place->text == "&";
  return address && place->args[0]->kind == ExprKind::index ? print(place->args[0]->args[0]) : std::string();
}

std::optional<BlockSum> block_sum_in(const KernelForm& form) {
  if (form.indices.size() != 1 || !form.on_axis(0) || !form.has_plain_guard() || form.core.empty()) return {};
  const Statement& last = form.core.back();
  if (!last.opaque || !last.value || last.value->text != "atomicAdd" || last.value->args.size() != 2)
    return {};
  BlockSum result;
  result.before = Statements(form.core.begin(), form.core.end() - 1);
  if (has_opaque(result.before)) return {};
  const ExprPtr &place = last.value->args[0], &value = last.value->args[1];
  const std::string array = array_of(place);
  const ExprPtr subscript = place->kind == ExprKind::unary ? place->args[0]->args[1] : number(0);
  if (array.empty() || !is_uniform(subscript, form, "")) return {};
  for (const Parameter& param : form.kernel->params)
    if (param.name == array) result.type = element_of(param.type);
  if (result.type != "float" && result.type != "double" && result.type != "int") return {};
  if (contains_word(print(result.before, 0), array) || contains_word(print(value), array)) return {};
  result.place = print(place);
  result.value = value;
  return result;
}

std::string kernel_text(const Work& work, const KernelForm& form, const BlockSum& sum) {
  const ThreadIndex& index = form.indices[0];
  const std::string part = fresh_name(work.program, "part"), parts = fresh_name(work.program, "parts");
  return fill_template(R"(  __shared__ $type $parts[32];
  $type $part = 0;
  for ($itype $index = blockIdx.x * blockDim.x + threadIdx.x; $index < $limit; $index += gridDim.x * blockDim.x) {
    $head
    $before
    $part += $value;
  }
  $sum
  if (threadIdx.x % 32 == 0) $parts[threadIdx.x / 32] = $part;
  __syncthreads();
  if (threadIdx.x < 32) {
    $part = threadIdx.x < blockDim.x / 32 ? $parts[threadIdx.x] : 0;
    $sum
    if (threadIdx.x == 0) atomicAdd($place, $part);
  }
)",
                       {{"type", sum.type},
                        {"parts", parts},
                        {"part", part},
                        {"itype", plain_type(index.type)},
                        {"index", index.name},
                        {"limit", print(form.bounds[0].limit)},
                        {"head", print(form.head, 0)},
                        {"before", print(sum.before, 0)},
                        {"value", print(sum.value)},
                        {"sum", lane_combination({{part, sum.type, "+"}}, 32)},
                        {"place", sum.place}});
}

ExprPtr blocks_at_most(const ExprPtr& blocks, long long most) {
  if (const auto value = constant_of(blocks)) return number(std::min(*value, most));
  return node(ExprKind::select, "", blocks->type,
              {binary("<", blocks, number(most), "bool"), blocks, number(most)});
}

}  // namespace

bool block_sum(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long threads = step.integer("x", 256), waves = std::clamp(step.integer("waves", 8), 1LL, 32LL);
  if (threads < 32 || threads > 1024 || threads % 32 != 0) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto sum = block_sum_in(form);
    if (!sum || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *sum)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(
          *launch,
          {blocks_at_most(blocks_for(launch->extent[0], threads), work.gpu->context.multiprocessors * waves),
           number(1), number(1)},
          {threads, 1, 1}));
  }
  if (!edits.empty()) need_shuffle(work, edits);
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
