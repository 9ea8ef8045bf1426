// Polynomials over names, with exact division as negative exponents: index bounds and extents as the spec's
// expressions have them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace noctune {

class Polynomial {
 public:
  using Monomial = std::map<std::string, int>;  // exponents; empty = the constant term

  Polynomial() = default;
  // Numbers are polynomials. NOLINTNEXTLINE(google-explicit-constructor)
  Polynomial(double constant) { add({}, constant); }
  static Polynomial of(const std::string& name);

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  bool operator==(const Polynomial& other) const { return terms_ == other.terms_; }

  // Divided term by term; only by a single term.
  std::optional<Polynomial> over(const Polynomial& divisor) const;
  bool is_constant() const;
  double constant() const;       // the constant term
  bool whole_exponents() const;  // neither fractions nor negative exponents
  bool is_single_name() const;
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  // The factor of `name` where it occurs with exponent 1, without the rest.
  Polynomial coefficient(const std::string& name) const;
  Polynomial without(const std::string& name) const;  // the terms that lack it
  Polynomial with(const std::string& name, const Polynomial& value) const;
  double at(const std::function<double(const std::string&)>& value) const;
  const std::map<Monomial, double>& terms() const { return terms_; }

  // As an expression of the spec: "n*m+1", "floor((n+255)/256)".
  std::string text() const;
  // The same without cutting quotients: a real number.
  std::string plain() const { return plain_text(); }

 private:
  void add(const Monomial& monomial, double factor);
  std::string plain_text() const;
  std::string quotient_text() const;
  std::map<Monomial, double> terms_;
};

// Which of two is larger for sizes of everyday magnitude: positive where `a` is, 0 where they are equal.
int compare_typical(const Polynomial& a, const Polynomial& b);

}  // namespace noctune
