#include "coordinator/patterns/reductions.hpp"

#include <algorithm>

namespace noctune {
namespace {

using namespace rules;

bool mentions_any(const ExprPtr& expr, const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return mentions(expr, name); });
}

// The term of x += e, x -= e, x *= e, x = x + e and the like; null where it is another kind of assignment.
ExprPtr term_of(const Statement& statement) {
  if (statement.kind != StatementKind::assign) return {};
  if (statement.op == "+=" || statement.op == "-=" || statement.op == "*=") return statement.value;
  const ExprPtr& value = statement.value;
  if (statement.op != "=" || value->kind != ExprKind::binary) return {};
  if (value->text != "+" && value->text != "-" && value->text != "*") return {};
  if (same(value->args[0], statement.target)) return value->args[1];
  return value->text != "-" && same(value->args[1], statement.target) ? value->args[0] : nullptr;
}

// The loop's counter and what is computed from it inside.
std::set<std::string> names_moving_with(const Statement& loop) {
  std::set<std::string> names = {loop.name};
  for (std::size_t before = 0; before != names.size();) {
    before = names.size();
    visit(loop.body, [&](const Statement& statement) {
      if (!statement.value || !mentions_any(statement.value, names)) return;
      if (statement.kind == StatementKind::declare) names.insert(statement.name);
      if (statement.kind == StatementKind::assign && statement.target->kind == ExprKind::variable)
        names.insert(statement.target->text);
    });
  }
  return names;
}

bool sums_over(const Statement& loop, const Statement& update, const ExprPtr& term) {
  const ExprPtr& target = update.target;
  if (target->kind == ExprKind::variable)
    return !declared_names(loop.body).count(target->text) && mentions_any(term, names_moving_with(loop));
  const std::set<std::string> moving = names_moving_with(loop);
  return !mentions_any(target, moving) && mentions_any(term, moving);
}

bool scatters(const ExprPtr& target, const std::set<std::string>& loaded) {
  return target->kind == ExprKind::index &&
         (reads_memory(target->args[1]) || mentions_any(target->args[1], loaded));
}

}  // namespace

bool has_reduction(const Statements& body, const std::set<std::string>& loaded) {
  bool found = false;
  visit(body, [&](const Statement& loop) {
    if (loop.kind != StatementKind::loop || found) return;
    visit(loop.body, [&](const Statement& statement) {
      const ExprPtr term = term_of(statement);
      if (term) found |= scatters(statement.target, loaded) || sums_over(loop, statement, term);
    });
  });
  return found;
}

}  // namespace noctune
