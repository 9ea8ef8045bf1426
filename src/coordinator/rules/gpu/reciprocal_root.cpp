// Divisions by a square root become products with its reciprocal, for which GPUs have an instruction: an
// exact root and a division are a few dozen. rsqrtf errs by at most 2 units in the last place and rsqrt by 1
// (CUDA C++ Programming Guide, mathematical functions), where the original rounds twice: as with another
// order of a sum.
#include <algorithm>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {
namespace {

bool is_root(const ExprPtr& expr) {
  return expr && expr->kind == ExprKind::call && expr->args.size() == 1 &&
         (expr->text == "sqrtf" || expr->text == "sqrt" || expr->text == "std::sqrt");
}

// "float" or "double"; empty where it is not known.
std::string type_of_root(const ExprPtr& root) {
  if (root->text == "sqrtf") return "float";
  const std::string type = plain_type(root->type);
  return type == "float" || type == "double" ? type : std::string();
}

ExprPtr reciprocal_of(const ExprPtr& root) {
  const std::string type = type_of_root(root);
  return node(ExprKind::call, type == "float" ? "rsqrtf" : "rsqrt", type, root->args);
}

// `left` in the numerator is no wider than the root, so that no accuracy is lost that the original has.
bool fits(const ExprPtr& left, const std::string& type) {
  const std::string other = plain_type(left->type);
  return other == type || is_integer(other);
}

bool is_one(const ExprPtr& expr) {
  return expr->kind == ExprKind::number &&
         (expr->text == "1" || expr->text == "1.0" || expr->text == "1.0f" || expr->text == "1.f");
}

ExprPtr times(const ExprPtr& left, const ExprPtr& right, const std::string& type) {
  return is_one(left) ? right : binary("*", left, right, type);
}

// How often `name` is multiplied with itself: 3 for d * d * d; 0 where there are other factors.
int power_of(const ExprPtr& expr, const std::string& name) {
  if (expr->kind == ExprKind::variable) return expr->text == name ? 1 : 0;
  if (expr->kind != ExprKind::binary || expr->text != "*") return 0;
  const int left = power_of(expr->args[0], name), right = power_of(expr->args[1], name);
  return left > 0 && right > 0 ? left + right : 0;
}

void rewrite_values(Statements& statements, const std::function<ExprPtr(const ExprPtr&)>& change) {
  for (Statement& statement : statements) {
    for (ExprPtr* expr : {&statement.value, &statement.lower, &statement.upper})
      if (*expr) *expr = rewrite(*expr, change);
    rewrite_values(statement.body, change);
    rewrite_values(statement.otherwise, change);
  }
}

bool divide_by_calls(Statements& body) {
  bool changed = false;
  rewrite_values(body, [&](const ExprPtr& part) {
    if (part->kind != ExprKind::binary || part->text != "/" || !is_root(part->args[1])) return part;
    const std::string type = type_of_root(part->args[1]);
    if (type.empty() || !fits(part->args[0], type)) return part;
    changed = true;
    return times(part->args[0], reciprocal_of(part->args[1]), type);
  });
  return changed;
}

// Declarations of roots that are never assigned again.
void find_roots(const Statements& statements, std::vector<Statement>& out) {
  visit(statements, [&](const Statement& one) {
    if (one.kind == StatementKind::declare && is_root(one.value) && !type_of_root(one.value).empty() &&
        plain_type(one.type) == type_of_root(one.value))
      out.push_back(one);
  });
}

void declare_instead(Statements& statements, const std::string& name, const Statement& other) {
  for (Statement& one : statements) {
    if (one.kind == StatementKind::declare && one.name == name) {
      const std::vector<std::string> comments = one.comments;
      one = other;
      one.comments = comments;
    }
    declare_instead(one.body, name, other);
    declare_instead(one.otherwise, name, other);
  }
}

std::size_t declarations_of(const Statements& statements, const std::string& name) {
  std::size_t count = 0;
  visit(statements, [&](const Statement& one) {
    count += one.kind == StatementKind::declare && one.name == name ? 1 : 0;
  });
  return count;
}

// Where everybody divides by the root, its reciprocal takes its place.
bool divide_by_name(const Program& program, const Statement& root, Statements& body) {
  if (assigned_names(body).count(root.name) || declarations_of(body, root.name) != 1) return false;
  const std::string type = type_of_root(root.value), name = fresh_name(program, "inverse_" + root.name);
  const ExprPtr inverse = variable(name, type);
  Statements tried = body;
  bool used = false;
  rewrite_values(tried, [&](const ExprPtr& part) {
    if (part->kind != ExprKind::binary || part->text != "/" || !fits(part->args[0], type)) return part;
    const int power = power_of(part->args[1], root.name);
    if (power == 0) return part;
    ExprPtr product = inverse;
    for (int i = 1; i < power; ++i) product = binary("*", product, inverse, type);
    used = true;
    return times(part->args[0], product, type);
  });
  declare_instead(tried, root.name, declare(root.type, name, reciprocal_of(root.value)));
  if (!used || mentions(tried, root.name)) return false;
  body = std::move(tried);
  return true;
}

}  // namespace

bool reciprocal_root(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  bool any = false;
  for (Function& function : work.program.functions) {
    if (!function.kernel || !function.understood || !wants(step, function.name)) continue;
    bool changed = divide_by_calls(function.body);
    std::vector<Statement> roots;
    find_roots(function.body, roots);
    for (const Statement& root : roots) changed |= divide_by_name(work.program, root, function.body);
    function.changed |= changed;
    any |= changed;
  }
  return any && settle(work);
}

}  // namespace noctune::rules::gpu
