#include <algorithm>

#include "corpus/reference.hpp"

// L times U must give the matrix back: at about 60 x 60 places.
std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n");
  const double *before = call.before<double>("a"), *after = call.after<double>("a");
  for (long long i = 0; i < n; i += n / 60 + 1)
    for (long long j = 0; j < n; j += n / 60 + 1) {
      double product = 0, scale = 0;
      for (long long k = 0; k <= std::min(i, j); ++k) {
        const double term = (k == i ? 1.0 : after[i * n + k]) * after[k * n + j];
        product += term;
        scale += std::fabs(term);
      }
      std::string wrong = differs("(L U)", i * n + j, product, before[i * n + j], scale, 1e-11);
      if (!wrong.empty()) return wrong;
    }
  return {};
}
