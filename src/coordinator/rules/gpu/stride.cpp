// Several elements per thread: the work runs in a loop that steps by the whole grid, which gets fewer blocks.
#include <algorithm>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

const char* const axis_names[] = {"x", "y", "z"};

std::string declaration(const ThreadIndex& index) {
  const std::string axis = axis_names[index.axis];
  return index.type + " " + index.name + " = blockIdx." + axis + " * blockDim." + axis + " + threadIdx." +
         axis;
}

bool leaves_early(const Statements& statements) {
  return contains_word(print(statements, 0), "return");
}

std::string body_text(const KernelForm& form, const ThreadIndex& along, long long unroll) {
  const std::string axis = axis_names[along.axis], stride = "gridDim." + axis + " * blockDim." + axis;
  std::string others;
  for (const ThreadIndex& index : form.indices)
    if (index.name != along.name) others += declaration(index) + ";\n";
  KernelForm rest = form;
  rest.bounds.erase(std::remove_if(rest.bounds.begin(), rest.bounds.end(),
                                   [&](const Bound& bound) { return bound.index == along.name; }),
                    rest.bounds.end());
  const std::string guard = guard_text(rest);
  // Declarations that use the index move into the loop, so all do.
  Statements work = form.head;
  work.insert(work.end(), form.core.begin(), form.core.end());
  ThreadIndex counter = along;
  counter.type = plain_type(along.type);
  const ExprPtr limit = form.bound_of(along.name)->limit;
  return fill_template(R"(  $others
$pragma
  for ($start; $name < $limit; $name += $stride) {
    $open
    $work
    $close
  }
)",
                       {{"others", others},
                        {"pragma", unroll > 1 ? "#pragma unroll " + std::to_string(unroll) : std::string()},
                        {"start", declaration(counter)},
                        {"name", along.name},
                        {"limit", limit->kind == ExprKind::select ? "(" + print(limit) + ")" : print(limit)},
                        {"stride", stride},
                        {"open", guard.empty() ? "" : "if (" + guard + ") {"},
                        {"work", print(work, guard.empty() ? 0 : 2)},
                        {"close", guard.empty() ? "" : "}"}});
}

// ceil(blocks / factor), or no more than the device holds at once.
ExprPtr fewer_blocks(const Work& work, const Launch& launch, std::size_t axis, const Step& step) {
  const long long threads = launch.threads[axis], factor = step.integer("factor", 1);
  if (factor > 1) return blocks_for(launch.extent[axis], threads * factor);
  const long long most = work.gpu->context.multiprocessors * std::clamp(step.integer("waves", 8), 1LL, 32LL);
  const ExprPtr blocks = blocks_for(launch.extent[axis], threads);
  if (const auto value = constant_of(blocks)) return number(std::min(*value, most));
  const ExprPtr limit = number(most);
  return node(ExprKind::select, "", blocks->type, {binary("<", blocks, limit, "bool"), blocks, limit});
}

// Counters of 32 bits have room for a step beyond the last value, as with tiles.
bool strides(Work& work, const Target& target, const Step& step, std::vector<Edit>& edits) {
  const KernelForm& form = target.form;
  const ThreadIndex& along = form.indices.back();
  if (leaves_early(form.core) || !is_integer(plain_type(along.type))) return false;
  std::size_t bounds = 0;
  for (const Bound& bound : form.bounds) bounds += bound.index == along.name ? 1 : 0;
  if (bounds != 1) return false;
  for (const Statement& statement : form.head)
    if (mentions(form.bound_of(along.name)->limit, statement.name)) return false;
  edits.push_back(
      body_edit(*form.kernel, body_text(form, along, std::clamp(step.integer("factor", 1), 1LL, 16LL))));
  for (const Launch* launch : target.launches) {
    Shape grid = launch->grid;
    grid[along.axis] = fewer_blocks(work, *launch, along.axis, step);
    edits.push_back(launch_edit(*launch, grid, launch->threads));
  }
  return true;
}

}  // namespace

bool grid_stride(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work))
    if (wants(step, target.form.kernel->name)) strides(work, target, step, edits);
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
