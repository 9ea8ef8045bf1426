// atomicAdd of every thread to one place: blocks add up by shuffles first, so there is one atomic per block.
// The order of the sum changes, which atomics never promised.
#include <algorithm>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/shared_loop.hpp"
#include "coordinator/rules/gpu/shuffle.hpp"
#include "coordinator/rules/gpu/targets.hpp"
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

// All elements, shared out among the threads of the grid.
SharedLoop loop_over(const KernelForm& form, const BlockSum& sum, const std::string& part) {
  const ThreadIndex& index = form.indices[0];
  Statements body = form.head;
  body.insert(body.end(), sum.before.begin(), sum.before.end());
  body.push_back(assign(variable(part, sum.type), "+=", sum.value));
  const Statement loop =
      make_loop(plain_type(index.type), index.name, number(0), form.bounds[0].limit, std::move(body));
  return {loop, {}, "blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x"};
}

std::string kernel_text(const Work& work, const KernelForm& form, const BlockSum& sum, const Step& step) {
  const std::string part = fresh_name(work.program, "part");
  const SharedLoop shared = loop_over(form, sum, part);
  const std::string wide = step.integer("vector", 0) == 1 ? vector_loop_text(work, shared) : std::string();
  return fill_template(R"(  $type $part = 0;
  $loop
  $sum
  if (threadIdx.x == 0) atomicAdd($place, $part);
)",
                       {{"type", sum.type},
                        {"part", part},
                        {"loop", wide.empty() ? single_loop_text(work, shared) : wide},
                        {"sum", block_combination(work, {{part, sum.type, "+"}}, step.integer("x", 256))},
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
  if (threads < 32 || threads > 1024 || (threads & (threads - 1)) != 0) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work, Grids::fixed_too)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto sum = block_sum_in(form);
    if (!sum || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *sum, step)));
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
