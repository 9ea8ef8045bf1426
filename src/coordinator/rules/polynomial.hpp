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

// Nothing when the expression reads memory or calls. Other integer operations (n / 2) become symbols of their own.
std::optional<Polynomial> polynomial_of(const ExprPtr& expr);

// True when the value is never negative, given that every symbol is at least 1.
bool never_negative(const Polynomial& polynomial);

}  // namespace noctune::rules
