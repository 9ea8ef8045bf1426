// Integer polynomials over loop variables and sizes: what subscripts and loop bounds are compared by.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/rules/expr.hpp"

namespace noctune::rules {

using Monomial = std::vector<std::string>;  // sorted factors; empty = the constant term

class Polynomial {
 public:
  Polynomial() = default;
  static Polynomial constant(long long value);
  static Polynomial symbol(const std::string& name);

  const std::map<Monomial, long long>& terms() const { return terms_; }
  std::optional<long long> as_constant() const;
  bool mentions(const std::string& name) const;
  Polynomial replaced(const std::string& name, const Polynomial& value) const;

  void add(const Monomial& monomial, long long coefficient);
  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial& a, const Polynomial& b) { return a.terms_ == b.terms_; }

 private:
  std::map<Monomial, long long> terms_;  // no zero coefficients
};

// Nothing when the expression reads memory, calls, divides, or uses a variable that may change.
std::optional<Polynomial> polynomial_of(const ExprPtr& expr);

// The value of an integer expression that is a constant.
std::optional<long long> constant_of(const ExprPtr& expr);
// Constants folded where integers are added and multiplied: (i + 1 - 1) * 8 + 2 * 3 -> i * 8 + 6.
ExprPtr folded(const ExprPtr& expr);

// True when the value is never negative, given that every symbol is at least 1.
bool never_negative(const Polynomial& polynomial);

}  // namespace noctune::rules
