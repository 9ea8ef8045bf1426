#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long n = call.integer("npts");
  const double dt = call.real("dt");
  const Numbers& potential = call.was("potential");
  const double *before = call.before<double>("psi"), *after = call.after<double>("psi");
  for (long long i = 0; i < n; i += stride(n)) {
    const double angle = dt * potential[i], re = before[2 * i], im = before[2 * i + 1];
    const double square = re * re + im * im, size = std::sqrt(square);
    const double want[2] = {re * std::cos(angle) + im * std::sin(angle),
                            im * std::cos(angle) - re * std::sin(angle)};
    std::string why = differs("norm", i, call.now("norm")[i], square, 0, 1e-13);
    for (int part = 0; part < 2 && why.empty(); ++part)
      why = differs("psi", 2 * i + part, after[2 * i + part], want[part], size, 1e-13);
    if (!why.empty()) return why;
  }
  return {};
}
