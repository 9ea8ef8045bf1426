#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long ni = call.integer("ni"), nj = call.integer("nj"), nk = call.integer("nk");
  const double alpha = call.real("alpha"), beta = call.real("beta");
  const Numbers &a = call.was("a"), &b = call.was("b"), &c = call.was("c");
  const double tolerance = 1e-7 * (8 + 2 * std::sqrt(static_cast<double>(nk)));
  for (long long at = 0; at < ni * nj; at += stride(ni * nj, 500)) {
    const long long i = at / nj, j = at % nj;
    double product = 0, scale = std::fabs(beta * c[at]);
    for (long long k = nk - 1; k >= 0; --k) {
      product += a[i * nk + k] * b[k * nj + j];
      scale += std::fabs(alpha * a[i * nk + k] * b[k * nj + j]);
    }
    const std::string why =
        differs("c", at, call.now("c")[at], alpha * product + beta * c[at], scale, tolerance);
    if (!why.empty()) return why;
  }
  return {};
}
