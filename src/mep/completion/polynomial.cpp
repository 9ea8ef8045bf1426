#include "mep/completion/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace noctune {
namespace {

std::string number_text(double number) {
  if (number == std::floor(number) && std::fabs(number) < 1e15)
    return std::to_string(static_cast<long long>(number));
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  for (int digits = 1; digits < 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, number);
    if (std::strtod(text, nullptr) == number) break;
  }
  return text;
}

int degree(const Polynomial::Monomial& monomial) {
  int sum = 0;
  for (const auto& [name, exponent] : monomial) sum += exponent;
  return sum;
}

// The term without its sign.
std::string term_text(const Polynomial::Monomial& monomial, double factor) {
  std::string over, under;
  const double size = std::fabs(factor);
  const double inverse = 1 / size;
  if (size < 1 && inverse == std::floor(inverse))
    under = "/" + number_text(inverse);
  else if (size != 1 || monomial.empty())
    over = number_text(size);
  for (const auto& [name, exponent] : monomial)
    for (int i = 0; i < std::abs(exponent); ++i)
      (exponent > 0 ? over : under) += exponent > 0 ? (over.empty() ? "" : "*") + name : "/" + name;
  return (over.empty() ? "1" : over) + under;
}

}  // namespace

Polynomial Polynomial::of(const std::string& name) {
  Polynomial out;
  out.add({{name, 1}}, 1);
  return out;
}

void Polynomial::add(const Monomial& monomial, double factor) {
  double& sum = terms_[monomial];
  sum += factor;
  if (std::fabs(sum) < 1e-12) terms_.erase(monomial);
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial out = *this;
  for (const auto& [monomial, factor] : other.terms_) out.add(monomial, factor);
  return out;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  Polynomial out = *this;
  for (const auto& [monomial, factor] : other.terms_) out.add(monomial, -factor);
  return out;
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial out;
  for (const auto& [a, x] : terms_)
    for (const auto& [b, y] : other.terms_) {
      Monomial product = a;
      for (const auto& [name, exponent] : b)
        if ((product[name] += exponent) == 0) product.erase(name);
      out.add(product, x * y);
    }
  return out;
}

std::optional<Polynomial> Polynomial::over(const Polynomial& divisor) const {
  if (divisor.terms_.size() != 1) return std::nullopt;
  Polynomial inverse;
  const auto& [monomial, factor] = *divisor.terms_.begin();
  Monomial turned;
  for (const auto& [name, exponent] : monomial) turned[name] = -exponent;
  inverse.add(turned, 1 / factor);
  return *this * inverse;
}

bool Polynomial::is_constant() const {
  return terms_.empty() || (terms_.size() == 1 && terms_.begin()->first.empty());
}

double Polynomial::constant() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? 0 : found->second;
}

bool Polynomial::whole_exponents() const {
  return std::all_of(terms_.begin(), terms_.end(), [](const auto& term) {
    return term.second == std::floor(term.second) &&
           std::all_of(term.first.begin(), term.first.end(),
                       [](const auto& part) { return part.second > 0; });
  });
}

bool Polynomial::is_single_name() const {
  return terms_.size() == 1 && terms_.begin()->second == 1 && terms_.begin()->first.size() == 1 &&
         terms_.begin()->first.begin()->second == 1;
}

std::vector<std::string> Polynomial::names() const {
  std::set<std::string> out;
  for (const auto& [monomial, factor] : terms_)
    for (const auto& [name, exponent] : monomial) out.insert(name);
  return {out.begin(), out.end()};
}

bool Polynomial::has(const std::string& name) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&](const auto& term) { return term.first.count(name) > 0; });
}

Polynomial Polynomial::coefficient(const std::string& name) const {
  Polynomial out;
  for (const auto& [monomial, factor] : terms_) {
    const auto found = monomial.find(name);
    if (found == monomial.end() || found->second != 1) continue;
    Monomial rest = monomial;
    rest.erase(name);
    out.add(rest, factor);
  }
  return out;
}

Polynomial Polynomial::without(const std::string& name) const {
  Polynomial out;
  for (const auto& [monomial, factor] : terms_)
    if (monomial.count(name) == 0) out.add(monomial, factor);
  return out;
}

Polynomial Polynomial::with(const std::string& name, const Polynomial& value) const {
  Polynomial out;
  for (const auto& [monomial, factor] : terms_) {
    Polynomial product(factor);
    for (const auto& [part, exponent] : monomial) {
      Polynomial base = part == name ? value : of(part);
      if (exponent < 0) base = Polynomial(1).over(base).value_or(of(part));
      for (int i = 0; i < std::abs(exponent); ++i) product = product * base;
    }
    out = out + product;
  }
  return out;
}

double Polynomial::at(const std::function<double(const std::string&)>& value) const {
  double sum = 0;
  for (const auto& [monomial, factor] : terms_) {
    double product = factor;
    for (const auto& [name, exponent] : monomial) product *= std::pow(value(name), exponent);
    sum += product;
  }
  return sum;
}

std::string Polynomial::plain_text() const {
  std::vector<std::pair<Monomial, double>> order(terms_.begin(), terms_.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (degree(a.first) != degree(b.first)) return degree(a.first) > degree(b.first);
    return a.second > 0 && b.second < 0;
  });
  std::string out;
  for (const auto& [monomial, factor] : order)
    out += (factor < 0 ? "-" : out.empty() ? "" : "+") + term_text(monomial, factor);
  if (out.empty()) return "0";
  return out[0] == '-' ? "0" + out : out;
}

// Over one denominator, so that nothing is rounded before the quotient is cut.
std::string Polynomial::quotient_text() const {
  Monomial names;
  for (const auto& [monomial, factor] : terms_)
    for (const auto& [name, exponent] : monomial)
      if (exponent < 0) names[name] = std::max(names[name], -exponent);
  Polynomial under;
  under.add(names, 1);
  for (int number = 1; number <= 4096; ++number) {
    const Polynomial over = *this * under * Polynomial(number);
    Polynomial whole;
    bool good = true;
    for (const auto& [monomial, factor] : over.terms_) {
      good = good && std::fabs(factor - std::round(factor)) < 1e-7;
      whole.add(monomial, std::round(factor));
    }
    if (!good) continue;
    const std::string below = (under * Polynomial(number)).text();
    const bool single = below.find_first_of("*+-/") == std::string::npos;
    const std::string above = whole.text();
    const bool plain = above.find_first_of("+-") == std::string::npos;
    return "floor(" + (plain ? above : "(" + above + ")") + "/" + (single ? below : "(" + below + ")") + ")";
  }
  return "floor(" + plain_text() + ")";
}

std::string Polynomial::text() const {
  return whole_exponents() ? plain_text() : quotient_text();
}

int compare_typical(const Polynomial& a, const Polynomial& b) {
  const Polynomial difference = a - b;
  if (difference.terms().empty()) return 0;
  const auto value = [](const std::string& name) {
    double sum = 0;
    for (char c : name) sum = std::fmod(sum * 31 + static_cast<unsigned char>(c), 997);
    return 2000 + sum;
  };
  return difference.at(value) > 0 ? 1 : -1;
}

}  // namespace noctune
