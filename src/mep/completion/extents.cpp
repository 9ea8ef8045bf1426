#include "mep/completion/extents.hpp"

#include <algorithm>

namespace noctune {

Polynomial with_settled(Polynomial polynomial, const std::map<std::string, Polynomial>& settled) {
  for (int round = 0; round < 8; ++round) {
    bool changed = false;
    for (const std::string& name : polynomial.names()) {
      const auto found = settled.find(name);
      if (found == settled.end()) continue;
      polynomial = polynomial.with(name, found->second);
      changed = true;
    }
    if (!changed) break;
  }
  return polynomial;
}

BufferExtent extent_of(const std::string& buffer, const ArrayAccesses& accesses,
                       const std::map<std::string, Polynomial>& settled) {
  BufferExtent out;
  for (const ArrayAccess* one : accesses.of(buffer)) {
    if (!one->range.high) {
      out.all_known = false;
      continue;
    }
    const Polynomial reached = with_settled(*one->range.high, settled) + 1;
    bool open = false;
    for (const std::string& name : reached.names()) open = open || name.find("!max") != std::string::npos;
    if (open) {
      out.all_known = false;
      continue;
    }
    if (out.count && compare_typical(reached, *out.count) <= 0) continue;
    out.count = reached;
    out.because = one->source->index;
  }
  return out;
}

std::optional<Polynomial> whole_grid(const Polynomial& count) {
  int most = 0;
  const auto degree = [](const Polynomial::Monomial& monomial) {
    int sum = 0;
    for (const auto& [name, exponent] : monomial) sum += exponent;
    return sum;
  };
  for (const auto& [monomial, factor] : count.terms()) most = std::max(most, degree(monomial));
  if (most == 0 || !count.whole_exponents()) return std::nullopt;
  Polynomial leading;
  for (const auto& [monomial, factor] : count.terms()) {
    if (degree(monomial) != most) continue;
    Polynomial term(factor);
    for (const auto& [name, exponent] : monomial)
      for (int i = 0; i < exponent; ++i) term = term * Polynomial::of(name);
    leading = leading + term;
  }
  if (leading == count || compare_typical(leading, count) <= 0) return std::nullopt;
  return leading;
}

PitchedExtent whole_rows(const Polynomial& count) {
  for (const std::string& name : count.names()) {
    const Polynomial rows = count.coefficient(name) + 1;
    const Polynomial rest = count.without(name);
    if (rows.is_constant() || count.coefficient(name).has(name) || rest.terms().empty()) continue;
    if (!((count.coefficient(name) * Polynomial::of(name) + rest) == count)) continue;
    if (rows.constant() != 0) continue;  // (rows - 1) * name: a constant of -1 went away
    return {rows * Polynomial::of(name), name, rest};
  }
  return {count, {}, {}};
}

}  // namespace noctune
