// A thread that sums along a row of memory becomes a group of lanes: they read neighbours together and add up
// by shuffles. The order of the sum changes.
#include <algorithm>

#include "coordinator/rules/gpu/core_loop.hpp"
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/shuffle.hpp"
#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/template_text.hpp"

namespace noctune::rules::gpu {
namespace {

struct RowSum {
  CoreLoop parts;
  std::vector<std::string> sums;
};

bool is_number(const std::string& type) {
  return is_floating(type) || plain_type(type) == "int" || plain_type(type) == "unsigned int";
}

// Every statement of the loop declares, decides or adds to a scalar from outside; no value reads a sum.
bool only_sums(const Statements& body, const std::set<std::string>& inside, std::set<std::string>& sums) {
  for (const Statement& statement : body) {
    if (statement.kind == StatementKind::declare) continue;
    if (statement.kind == StatementKind::branch) {
      if (!only_sums(statement.body, inside, sums) || !only_sums(statement.otherwise, inside, sums))
        return false;
      continue;
    }
    const bool sum = statement.kind == StatementKind::assign &&
                     statement.target->kind == ExprKind::variable &&
                     (statement.op == "+=" || statement.op == "-=") && is_number(statement.target->type);
    if (!sum || inside.count(statement.target->text)) return false;
    sums.insert(statement.target->text);
  }
  return true;
}

bool reads_sums(const Statements& body, const std::set<std::string>& sums) {
  bool found = false;
  visit(body, [&](const Statement& statement) {
    for (const std::string& name : sums)
      for (const ExprPtr& expr : {statement.value, statement.lower, statement.upper})
        found |= expr && mentions(expr, name);
  });
  return found;
}

// Neighbouring iterations read neighbouring elements that differ from thread to thread.
bool runs_along_rows(const KernelForm& form, const CoreLoop& parts, const std::set<std::string>& written) {
  const std::string &index = form.indices[0].name, &counter = parts.loop.name;
  const bool own_bounds =
      !is_uniform(parts.loop.lower, form, "") || !is_uniform(upper_bound(parts.loop), form, "");
  bool along = false;
  for (const ExprPtr& load : loads_of(parts.loop.body, written)) {
    const ExprPtr& subscript = load->args[1];
    if (!mentions(subscript, counter) || reads_memory(subscript)) continue;
    const auto stride = stride_of(subscript, counter);
    if (!stride || *stride != 1) return false;
    along |= own_bounds || mentions(subscript, index);
  }
  return along;
}

std::optional<RowSum> row_sum_in(const Work& work, const KernelForm& form) {
  if (form.indices.size() != 1 || !form.on_axis(0) || !form.kernel->distinct) return {};
  auto parts = core_loop_of(form);
  if (!parts || has_opaque(parts->before) || has_opaque(parts->loop.body)) return {};
  bool known = true;
  visit_expressions(parts->loop.body, [&](const ExprPtr& whole) {
    visit(whole, [&](const Expr& part) {
      if (part.kind == ExprKind::call) known &= work.program.pure_calls.count(part.text) > 0;
    });
  });
  std::set<std::string> sums;
  if (!known || !only_sums(parts->loop.body, declared_names(parts->loop.body), sums) || sums.empty())
    return {};
  if (reads_sums(parts->loop.body, sums)) return {};
  for (const std::string& sum : sums) {
    if (mentions(parts->loop.lower, sum) || mentions(parts->loop.upper, sum)) return {};
    const auto declared = std::find_if(parts->before.begin(), parts->before.end(),
                                       [&](const Statement& s) { return s.name == sum && s.value; });
    if (declared == parts->before.end()) return {};
    // Another value made from a sum's start would differ from lane to lane.
    for (const Statement& statement : parts->before)
      if (statement.value && mentions(statement.value, sum)) return {};
  }
  if (!runs_along_rows(form, *parts, written_arrays(form.kernel->body))) return {};
  return RowSum{*parts, {sums.begin(), sums.end()}};
}

std::string kernel_text(const Work& work, const KernelForm& form, const RowSum& row, long long lanes) {
  const ThreadIndex& index = form.indices[0];
  const Statement& loop = row.parts.loop;
  const std::string lane = fresh_name(work.program, "lane");
  Statements before = row.parts.before;
  for (Statement& statement : before) {
    if (std::find(row.sums.begin(), row.sums.end(), statement.name) == row.sums.end()) continue;
    if (is_zero(statement.value)) continue;
    const ExprPtr first = binary("==", variable(lane, "int"), number(0), "bool");
    statement.value =
        node(ExprKind::select, "", statement.type,
             {first, statement.value,
              node(ExprKind::cast, plain_type(statement.type), plain_type(statement.type), {number(0)})});
  }
  const ExprPtr start = binary("+", loop.lower, variable(lane, "int"), loop.lower->type);
  const ExprPtr from = constant_of(loop.lower) == 0 ? variable(lane, "int") : start;
  return fill_template(R"(  const $itype $index = blockIdx.x * (blockDim.x / $lanes) + threadIdx.x / $lanes;
  const int $lane = threadIdx.x % $lanes;
  $head
  if (!($guard)) return;
  $before
  for ($type $counter = $from; $counter < $upper; $counter += $lanes) {
    $body
  }
  $sum
  if ($lane == 0) {
    $after
  }
)",
                       {{"itype", plain_type(index.type)},
                        {"index", index.name},
                        {"lanes", std::to_string(lanes)},
                        {"lane", lane},
                        {"head", print(form.head, 0)},
                        {"guard", guard_text(form)},
                        {"before", print(before, 0)},
                        {"type", plain_type(loop.type)},
                        {"counter", loop.name},
                        {"from", print(from)},
                        {"upper", print(upper_bound(loop))},
                        {"body", print(loop.body, 0)},
                        {"sum", lane_sum(row.sums, lanes)},
                        {"after", print(row.parts.after, 0)}});
}

}  // namespace

bool warp_rows(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long lanes = step.integer("lanes", 32), threads = step.integer("x", 256);
  if (lanes < 2 || lanes > 32 || (lanes & (lanes - 1)) != 0) return false;
  if (threads < 32 || threads > 1024 || threads % 32 != 0) return false;
  std::vector<Edit> edits;
  for (const Target& target : targets(work)) {
    const KernelForm& form = target.form;
    const SourceFunction* facts = work.gpu->function(form.kernel->name);
    const auto row = row_sum_in(work, form);
    if (!row || !wants(step, form.kernel->name) || !facts || !facts->launch_bounds.empty()) continue;
    edits.push_back(body_edit(*form.kernel, kernel_text(work, form, *row, lanes)));
    for (const Launch* launch : target.launches)
      edits.push_back(launch_edit(
          *launch, {blocks_for(launch->extent[0], threads / lanes), number(1), number(1)}, {threads, 1, 1}));
  }
  if (!edits.empty()) need_shuffle(work, edits);
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
