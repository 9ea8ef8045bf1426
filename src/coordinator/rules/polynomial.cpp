#include "coordinator/rules/polynomial.hpp"

#include <algorithm>
#include <charconv>

namespace noctune::rules {

Polynomial Polynomial::constant(long long value) {
  Polynomial result;
  result.add({}, value);
  return result;
}

Polynomial Polynomial::symbol(const std::string& name) {
  Polynomial result;
  result.add({name}, 1);
  return result;
}

void Polynomial::add(const Monomial& monomial, long long coefficient) {
  const auto place = terms_.emplace(monomial, 0).first;
  place->second += coefficient;
  if (place->second == 0) terms_.erase(place);
}

std::optional<long long> Polynomial::as_constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return {};
}

bool Polynomial::mentions(const std::string& name) const {
  for (const auto& [monomial, coefficient] : terms_)
    if (std::find(monomial.begin(), monomial.end(), name) != monomial.end()) return true;
  return false;
}

Polynomial Polynomial::replaced(const std::string& name, const Polynomial& value) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms_) {
    Polynomial term = constant(coefficient);
    for (const std::string& factor : monomial) term = term * (factor == name ? value : symbol(factor));
    result = result + term;
  }
  return result;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  for (const auto& [monomial, coefficient] : b.terms_) result.add(monomial, coefficient);
  return result;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  Polynomial result = a;
  for (const auto& [monomial, coefficient] : b.terms_) result.add(monomial, -coefficient);
  return result;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  for (const auto& [left, x] : a.terms_)
    for (const auto& [right, y] : b.terms_) {
      Monomial product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      result.add(product, x * y);
    }
  return result;
}

std::optional<Polynomial> polynomial_of(const ExprPtr& expr) {
  if (expr->kind == ExprKind::number) {
    long long value = 0;
    const char* end = expr->text.data() + expr->text.size();
    const auto [stop, error] = std::from_chars(expr->text.data(), end, value);
    if (error == std::errc() && stop == end) return Polynomial::constant(value);
    // A macro's name stands for an integer constant.
    return is_integer(expr->type) ? std::optional(Polynomial::symbol(expr->text)) : std::nullopt;
  }
  if (expr->kind == ExprKind::variable)
    return is_integer(expr->type) && !expr->unsteady ? std::optional(Polynomial::symbol(expr->text))
                                                     : std::nullopt;
  if (expr->kind == ExprKind::cast && is_integer(expr->type) && is_integer(expr->args[0]->type))
    return polynomial_of(expr->args[0]);
  if (expr->kind == ExprKind::unary && expr->text == "-") {
    const auto value = polynomial_of(expr->args[0]);
    return value ? std::optional(Polynomial() - *value) : std::nullopt;
  }
  if (expr->kind != ExprKind::binary) return {};
  const auto left = polynomial_of(expr->args[0]), right = polynomial_of(expr->args[1]);
  if (!left || !right) return {};
  if (expr->text == "+") return *left + *right;
  if (expr->text == "-") return *left - *right;
  if (expr->text == "*") return *left * *right;
  return {};
}

std::optional<long long> constant_of(const ExprPtr& expr) {
  const auto value = polynomial_of(expr);
  return value ? value->as_constant() : std::nullopt;
}

// Constants folded where integers are added and multiplied.
ExprPtr folded(const ExprPtr& expr) {
  return rewrite(expr, [](const ExprPtr& part) -> ExprPtr {
    if (!is_integer(part->type) || (part->kind != ExprKind::binary && part->kind != ExprKind::unary))
      return part;
    if (const auto value = constant_of(part)) return number(*value);
    if (part->text != "+" && part->text != "-") return part;
    const auto right = part->args.size() == 2 ? constant_of(part->args[1]) : std::nullopt;
    const auto left = part->args.size() == 2 ? constant_of(part->args[0]) : std::nullopt;
    if (right) return plus(part->args[0], part->text == "+" ? *right : -*right);
    if (left == 0 && part->text == "+") return part->args[1];
    return part;
  });
}

bool never_negative(const Polynomial& polynomial) {
  // With every symbol written as 1 + (something not negative), coefficients that are not negative suffice.
  Polynomial shifted = polynomial;
  std::set<std::string> names;
  for (const auto& [monomial, coefficient] : polynomial.terms())
    names.insert(monomial.begin(), monomial.end());
  for (const std::string& name : names)
    shifted = shifted.replaced(name, Polynomial::constant(1) + Polynomial::symbol(name));
  for (const auto& [monomial, coefficient] : shifted.terms())
    if (coefficient < 0) return false;
  return true;
}

}  // namespace noctune::rules
