#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long n = call.integer("nbody");
  const double soft2 = call.real("soft2");
  const float *body = call.before<float>("body"), *acc = call.after<float>("acc");
  const double tolerance = 1e-6 * (4 + std::sqrt(static_cast<double>(n)) / 8);
  for (long long i = 0; i < n; i += stride(n, 200)) {
    double sum[4] = {}, scale[4] = {};
    for (long long j = n - 1; j >= 0; --j) {
      double d[3], r2 = soft2;
      for (int k = 0; k < 3; ++k) {
        d[k] = static_cast<double>(body[4 * j + k]) - body[4 * i + k];
        r2 += d[k] * d[k];
      }
      const double potential = -body[4 * j + 3] / std::sqrt(r2);
      for (int k = 0; k < 4; ++k) {
        const double term = k == 3 ? potential : -potential / r2 * d[k];
        sum[k] += term, scale[k] += std::fabs(term);
      }
    }
    for (int k = 0; k < 4; ++k) {
      const std::string why = differs("acc", 4 * i + k, acc[4 * i + k], sum[k], scale[k], tolerance);
      if (!why.empty()) return why;
    }
  }
  return {};
}
