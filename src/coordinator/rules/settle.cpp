#include <algorithm>

#include "coordinator/rules/polynomial.hpp"
#include "coordinator/rules/reader.hpp"

namespace noctune::rules {
namespace {

bool stands_for_affine(const Statement& statement, const std::set<std::string>& assigned) {
  if (statement.kind != StatementKind::declare || !statement.value || !is_integer(statement.type))
    return false;
  if (assigned.count(statement.name) || plain_type(statement.type) != plain_type(statement.value->type))
    return false;
  bool fixed = true;
  visit(statement.value,
        [&](const Expr& part) { fixed &= part.kind != ExprKind::variable || !assigned.count(part.text); });
  return fixed && polynomial_of(statement.value);
}

Statements replaced_names(const Statements& statements, const std::set<std::string>& assigned) {
  Statements result;
  Substitution known;
  for (const Statement& original : statements) {
    Statement statement = substitute(Statements{original}, known)[0];
    // Opaque text may use the name too, so the declaration stays where any follows.
    if (stands_for_affine(statement, assigned) && !has_opaque(statements)) {
      known[statement.name] = statement.value;
      continue;
    }
    statement.body = replaced_names(statement.body, assigned);
    statement.otherwise = replaced_names(statement.otherwise, assigned);
    result.push_back(statement);
  }
  return result;
}

}  // namespace

Statements settled(const Statements& statements) {
  const Statements plain = replaced_names(statements, assigned_names(statements));
  std::map<std::string, std::string> unsteady;
  const std::set<std::string> assigned = assigned_names(plain);
  visit(plain, [&](const Statement& statement) {
    if (statement.kind == StatementKind::declare) unsteady[statement.name] = statement.type;
  });
  Substitution marks;
  visit_expressions(plain, [&](const ExprPtr& expr) {
    visit(expr, [&](const Expr& part) {
      if (part.kind != ExprKind::variable || !is_integer(part.type)) return;
      if (assigned.count(part.text) || unsteady.count(part.text))
        marks[part.text] = unsteady_variable(part.text, part.type);
    });
  });
  return substitute(plain, marks);
}

}  // namespace noctune::rules
