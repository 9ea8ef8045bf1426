// One element moved from a row to a column: a tile goes through shared memory, so that both reads and writes
// run along memory.
#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/targets.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

struct Move {
  ExprPtr to, from, value;
  std::size_t read_axis = 0;  // the index that the reads run along; the writes run along the other
  std::string op;
};

bool is_affine_in(const ExprPtr& subscript, const KernelForm& form) {
  if (!polynomial_of(subscript)) return false;
  for (const std::string& name : thread_names(form))
    if (name != form.indices[0].name && name != form.indices[1].name && mentions(subscript, name))
      return false;
  return mentions(subscript, form.indices[0].name) && mentions(subscript, form.indices[1].name);
}

std::optional<Move> move_in(const KernelForm& form) {
  if (form.indices.size() != 2 || !form.on_axis(0) || !form.on_axis(1) || !form.has_plain_guard()) return {};
  if (!form.kernel->distinct || !form.head.empty() || form.core.size() != 1) return {};
  const Statement& statement = form.core[0];
  if (statement.kind != StatementKind::assign || statement.target->kind != ExprKind::index) return {};
  const std::vector<ExprPtr> loads = loads_of({statement}, written_arrays(form.core));
  if (loads.size() != 1 || mentions(statement.value, statement.target->args[0]->text)) return {};
  Move move = {statement.target, loads[0], statement.value, 0, statement.op};
  if (!is_affine_in(move.to->args[1], form) || !is_affine_in(move.from->args[1], form)) return {};
  if (bytes_of(move.from->type) == 0) return {};
  const auto runs_along = [&](const ExprPtr& element, std::size_t axis) {
    return stride_of(element->args[1], form.indices[axis].name) == 1;
  };
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}})
    if (runs_along(move.from, axis) && runs_along(move.to, 1 - axis) && !runs_along(move.from, 1 - axis)) {
      move.read_axis = axis;
      return move;
    }
  return {};
}

std::string kernel_text(const Work& work, const KernelForm& form, const Move& move, long long rows) {
  const ThreadIndex &fast = form.indices[move.read_axis], &slow = form.indices[1 - move.read_axis];
  const char* axes[] = {"x", "y"};
  const std::string tile = fresh_name(work.program, "tile"), line = fresh_name(work.program, "line");
  const ExprPtr element = variable(tile + "[threadIdx.x][" + line + "]", move.from->type);
  return fill_template(
      R"(  __shared__ $type $tile[32][33];
  for (int $line = threadIdx.y; $line < 32; $line += $rows) {
    const $fast_type $fast = blockIdx.$fast_axis * 32 + threadIdx.x;
    const $slow_type $slow = blockIdx.$slow_axis * 32 + $line;
    if ($guard) $tile[$line][threadIdx.x] = $load;
  }
  __syncthreads();
  for (int $line = threadIdx.y; $line < 32; $line += $rows) {
    const $fast_type $fast = blockIdx.$fast_axis * 32 + $line;
    const $slow_type $slow = blockIdx.$slow_axis * 32 + threadIdx.x;
    if ($guard) $store;
  }
)",
      {{"type", plain_type(move.from->type)},
       {"tile", tile},
       {"line", line},
       {"rows", std::to_string(rows)},
       {"fast", fast.name},
       {"slow", slow.name},
       {"fast_type", plain_type(fast.type)},
       {"slow_type", plain_type(slow.type)},
       {"fast_axis", axes[fast.axis]},
       {"slow_axis", axes[slow.axis]},
       {"guard", guard_text(form)},
       {"load", print(move.from)},
       {"store", print(move.to) + " " + move.op + " " + print(replaced(move.value, move.from, element))}});
}

}  // namespace

bool transpose(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long rows = step.integer("rows", 8);
  if (rows != 4 && rows != 8 && rows != 16 && rows != 32) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto move = move_in(form);
    if (!move || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *move, rows)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(
          *launch, {blocks_for(launch->extent[0], 32), blocks_for(launch->extent[1], 32), number(1)},
          {32, rows, 1}));
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
