#include "coordinator/rules/gpu/loop_guard.hpp"

#include <algorithm>

#include "coordinator/rules/dependence.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune::rules::gpu {
namespace {

bool only_declares(Statements::const_iterator begin, Statements::const_iterator end) {
  return std::all_of(begin, end, [](const Statement& one) {
    return one.kind == StatementKind::declare && one.value && !reads_memory(one.value);
  });
}

// first + counter < limit: first, or null.
ExprPtr first_in(const Statement& loop, const ExprPtr& left, const ExprPtr& limit) {
  std::set<std::string> changing = assigned_names(loop.body);
  changing.merge(declared_names(loop.body));
  const ExprPtr place = substitute(left, places_in(loop.body));
  const auto step = stride_in(place, loop.name);
  if (!step || step->as_constant() != 1 || mentions(limit, loop.name)) return {};
  if (reads_memory(limit) || reads_memory(place)) return {};
  for (const std::string& name : changing)
    if (mentions(limit, name) || mentions(place, name)) return {};
  return folded(substitute(place, {{loop.name, number(0)}}));
}

}  // namespace

Substitution places_in(const Statements& body) {
  const std::set<std::string> assigned = assigned_names(body);
  Substitution values;
  for (const Statement& statement : body)
    if (statement.kind == StatementKind::declare && statement.value && !assigned.count(statement.name) &&
        is_integer(plain_type(statement.type)))
      values[statement.name] = substitute(statement.value, values);
  return values;
}

void move_guard_to_bound(Statement& loop) {
  if (loop.body.empty() || !is_signed(plain_type(loop.type)) || loop.step != 1) return;
  const Statement guard = loop.body.back();
  if (guard.kind != StatementKind::branch || !guard.otherwise.empty()) return;
  if (!only_declares(loop.body.begin(), loop.body.end() - 1)) return;
  if (guard.value->kind != ExprKind::binary || guard.value->text != "<") return;
  const ExprPtr &left = guard.value->args[0], &limit = guard.value->args[1];
  if (!is_signed(limit->type) || !is_signed(left->type)) return;
  const ExprPtr first = first_in(loop, left, limit);
  if (!first) return;
  const ExprPtr rest = constant_of(first) == 0 ? limit : binary("-", limit, first, limit->type);
  const ExprPtr upper = upper_bound(loop);
  loop.upper = node(ExprKind::select, "", upper->type, {binary("<", upper, rest, "bool"), upper, rest});
  loop.inclusive = false;
  loop.body.pop_back();
  loop.body.insert(loop.body.end(), guard.body.begin(), guard.body.end());
}

}  // namespace noctune::rules::gpu
