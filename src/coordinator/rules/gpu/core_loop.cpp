#include "coordinator/rules/gpu/core_loop.hpp"

#include <algorithm>

#include "coordinator/rules/dependence.hpp"

namespace noctune::rules::gpu {

std::optional<CoreLoop> core_loop_of(const KernelForm& form) {
  CoreLoop result;
  bool found = false;
  for (const Statement& statement : form.core) {
    if (statement.kind == StatementKind::loop) {
      if (found) return {};
      found = true;
      result.loop = statement;
    } else if (!found && statement.kind != StatementKind::declare) {
      return {};
    } else {
      (found ? result.after : result.before).push_back(statement);
    }
  }
  if (!found || result.after.empty() || has_opaque(result.after) || result.loop.step != 1) return {};
  return result;
}

std::vector<ExprPtr> loads_of(const Statements& statements, const std::set<std::string>& written) {
  std::vector<ExprPtr> loads;
  visit_expressions(statements, [&](const ExprPtr& whole) {
    rewrite(whole, [&](const ExprPtr& part) {
      if (part->kind != ExprKind::index || part->args[0]->kind != ExprKind::variable) return part;
      const bool known =
          std::any_of(loads.begin(), loads.end(), [&](const ExprPtr& l) { return same(l, part); });
      if (!known && !written.count(part->args[0]->text)) loads.push_back(part);
      return part;
    });
  });
  return loads;
}

ExprPtr replaced(const ExprPtr& expr, const ExprPtr& part, const ExprPtr& by) {
  return rewrite(expr, [&](const ExprPtr& one) { return same(one, part) ? by : one; });
}

void replace(Statements& statements, const ExprPtr& part, const ExprPtr& by) {
  for (Statement& statement : statements) {
    for (ExprPtr* expr : {&statement.value, &statement.target, &statement.lower, &statement.upper})
      if (*expr) *expr = replaced(*expr, part, by);
    replace(statement.body, part, by);
    replace(statement.otherwise, part, by);
  }
}

std::set<std::string> thread_names(const KernelForm& form) {
  std::set<std::string> names = declared_names(form.core);
  names.merge(declared_names(form.head));
  names.merge(assigned_names(form.core));
  for (const ThreadIndex& index : form.indices) names.insert(index.name);
  return names;
}

bool is_uniform(const ExprPtr& expr, const KernelForm& form, const std::string& counter) {
  std::set<std::string> names = thread_names(form);
  names.erase(counter);
  bool uniform = true;
  visit(expr, [&](const Expr& part) {
    uniform &= part.kind != ExprKind::index && part.kind != ExprKind::call;
    if (part.kind == ExprKind::variable) uniform &= !names.count(part.text);
  });
  return uniform;
}

std::optional<long long> stride_of(const ExprPtr& subscript, const std::string& name) {
  const auto stride = stride_in(subscript, name);
  return stride ? stride->as_constant() : std::nullopt;
}

bool is_zero(const ExprPtr& expr) {
  return expr->kind == ExprKind::number && expr->text.find_first_of("123456789xX") == std::string::npos;
}

}  // namespace noctune::rules::gpu
