#include "coordinator/rules/expr.hpp"

#include <cctype>
#include <charconv>
#include <optional>

namespace noctune::rules {
namespace {

int precedence_of(const std::string& op) {
  static const std::map<std::string, int> table = {
      {"*", 13}, {"/", 13},  {"%", 13}, {"+", 12}, {"-", 12}, {"<<", 11}, {">>", 11}, {"<", 10}, {"<=", 10},
      {">", 10}, {">=", 10}, {"==", 9}, {"!=", 9}, {"&", 8},  {"^", 7},   {"|", 6},   {"&&", 5}, {"||", 4}};
  const auto found = table.find(op);
  return found == table.end() ? 1 : found->second;
}

int precedence_of(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::number:
      return expr.text.empty() || expr.text[0] != '-' ? 20 : 15;
    case ExprKind::unary:
      return 15;
    case ExprKind::binary:
      return precedence_of(expr.text);
    case ExprKind::select:
      return 2;
    default:
      return 20;
  }
}

std::string wrapped(const ExprPtr& expr, bool parentheses) {
  return parentheses ? "(" + print(expr) + ")" : print(expr);
}

std::string print_list(const std::vector<ExprPtr>& args) {
  std::string text;
  for (const ExprPtr& arg : args) text += (text.empty() ? "" : ", ") + print(arg);
  return text;
}

std::string print_binary(const Expr& expr) {
  const int mine = precedence_of(expr);
  const bool mixed_shift = mine == 11 || (mine >= 4 && mine <= 8);
  const auto loose = [&](const ExprPtr& arg) {
    return mixed_shift && arg->kind == ExprKind::binary && arg->text != expr.text &&
           precedence_of(*arg) < 10 + mine;
  };
  const bool left = precedence_of(*expr.args[0]) < mine || (mine == 4 && loose(expr.args[0]));
  const bool right = precedence_of(*expr.args[1]) <= mine || (mine == 4 && loose(expr.args[1]));
  return wrapped(expr.args[0], left) + " " + expr.text + " " + wrapped(expr.args[1], right);
}

std::optional<long long> integer_value(const ExprPtr& expr) {
  if (expr->kind != ExprKind::number || !is_integer(expr->type)) return {};
  long long value = 0;
  const char* end = expr->text.data() + expr->text.size();
  const auto [stop, error] = std::from_chars(expr->text.data(), end, value);
  if (error != std::errc() || stop != end) return {};
  return value;
}

}  // namespace

ExprPtr node(ExprKind kind, const std::string& text, const std::string& type, std::vector<ExprPtr> args) {
  return std::make_shared<const Expr>(Expr{kind, text, type, std::move(args), false});
}
ExprPtr number(long long value) {
  return node(ExprKind::number, std::to_string(value), "int", {});
}
ExprPtr literal(const std::string& text, const std::string& type) {
  return node(ExprKind::number, text, type, {});
}
ExprPtr variable(const std::string& name, const std::string& type) {
  return node(ExprKind::variable, name, type, {});
}
ExprPtr unsteady_variable(const std::string& name, const std::string& type) {
  return std::make_shared<const Expr>(Expr{ExprKind::variable, name, type, {}, true});
}
ExprPtr index(ExprPtr array, ExprPtr subscript, const std::string& type) {
  return node(ExprKind::index, "", type, {std::move(array), std::move(subscript)});
}
ExprPtr binary(const std::string& op, ExprPtr left, ExprPtr right, const std::string& type) {
  const std::string result = type.empty() ? left->type : type;
  return node(ExprKind::binary, op, result, {std::move(left), std::move(right)});
}

ExprPtr plus(const ExprPtr& left, long long offset) {
  if (offset == 0) return left;
  if (const auto value = integer_value(left)) return number(*value + offset);
  if (left->kind == ExprKind::binary && (left->text == "+" || left->text == "-")) {
    if (const auto value = integer_value(left->args[1]))
      return plus(left->args[0], (left->text == "+" ? *value : -*value) + offset);
  }
  return binary(offset > 0 ? "+" : "-", left, number(offset > 0 ? offset : -offset), left->type);
}

std::string print(const ExprPtr& expr) {
  switch (expr->kind) {
    case ExprKind::number:
    case ExprKind::variable:
      return expr->text;
    case ExprKind::index:
      return print(expr->args[0]) + "[" + print(expr->args[1]) + "]";
    case ExprKind::unary: {
      const std::string inner = wrapped(expr->args[0], precedence_of(*expr->args[0]) < 15);
      const bool glued = !inner.empty() && inner[0] == expr->text[0];
      return expr->text + (glued ? "(" + inner + ")" : inner);
    }
    case ExprKind::postfix:
      return print(expr->args[0]) + expr->text;
    case ExprKind::binary:
      return print_binary(*expr);
    case ExprKind::call:
      return expr->text + "(" + print_list(expr->args) + ")";
    case ExprKind::cast:
      return "static_cast<" + expr->text + ">(" + print(expr->args[0]) + ")";
    case ExprKind::select:
      return wrapped(expr->args[0], precedence_of(*expr->args[0]) <= 2) + " ? " + print(expr->args[1]) +
             " : " + print(expr->args[2]);
  }
  return {};
}

bool same(const ExprPtr& left, const ExprPtr& right) {
  return left == right || print(left) == print(right);
}

ExprPtr rewrite(const ExprPtr& expr, const std::function<ExprPtr(const ExprPtr&)>& change) {
  std::vector<ExprPtr> args;
  bool changed = false;
  for (const ExprPtr& arg : expr->args) {
    args.push_back(rewrite(arg, change));
    changed |= args.back() != arg;
  }
  return change(changed ? node(expr->kind, expr->text, expr->type, std::move(args)) : expr);
}

ExprPtr substitute(const ExprPtr& expr, const Substitution& replacements) {
  return rewrite(expr, [&](const ExprPtr& part) {
    if (part->kind != ExprKind::variable) return part;
    const auto found = replacements.find(part->text);
    return found == replacements.end() ? part : found->second;
  });
}

void visit(const ExprPtr& expr, const std::function<void(const Expr&)>& action) {
  action(*expr);
  for (const ExprPtr& arg : expr->args) visit(arg, action);
}

bool mentions(const ExprPtr& expr, const std::string& name) {
  bool found = false;
  visit(expr, [&](const Expr& part) { found |= part.kind == ExprKind::variable && part.text == name; });
  return found;
}

bool reads_memory(const ExprPtr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& part) { found |= part.kind == ExprKind::index; });
  return found;
}

std::size_t find_word(const std::string& text, const std::string& word, std::size_t from) {
  const auto is_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  for (std::size_t at = text.find(word, from); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_word(at - 1)) && !is_word(at + word.size())) return at;
  return std::string::npos;
}

bool contains_word(const std::string& text, const std::string& word) {
  return find_word(text, word, 0) != std::string::npos;
}

std::string plain_type(const std::string& type) {
  std::string text = type;
  for (const std::string word : {"const ", "volatile "})
    if (text.rfind(word, 0) == 0) text = text.substr(word.size());
  return text;
}

std::string element_of(const std::string& pointer_type) {
  const std::size_t star = pointer_type.find('*');
  if (star == std::string::npos || pointer_type.find('*', star + 1) != std::string::npos) return {};
  std::string element = plain_type(pointer_type.substr(0, star));
  while (!element.empty() && element.back() == ' ') element.pop_back();
  return element;
}

bool is_floating(const std::string& type) {
  const std::string plain = plain_type(type);
  return plain == "double" || plain == "float";
}

bool is_integer(const std::string& type) {
  static const std::vector<std::string> known = {"int",          "long",          "long long",
                                                 "unsigned int", "unsigned long", "unsigned long long",
                                                 "short",        "unsigned short"};
  const std::string plain = plain_type(type);
  for (const std::string& name : known)
    if (plain == name) return true;
  return false;
}

}  // namespace noctune::rules
