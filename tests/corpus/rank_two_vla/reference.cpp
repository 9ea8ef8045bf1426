#include "corpus/reference.hpp"

std::string corpus::reference(const Call& call) {
  const long long n = call.integer("n"), pitch = N;
  const double beta = call.real("beta");
  const Numbers &A = call.was("A"), &u1 = call.was("u1"), &v1 = call.was("v1"), &u2 = call.was("u2"),
                &v2 = call.was("v2"), &y = call.was("y"), &x = call.was("x");
  const double unit = call.now("A").epsilon();
  const auto updated = [&](long long i, long long j) {
    return A[i * pitch + j] + (u1[i] * v1[j] + u2[i] * v2[j]);
  };
  const auto size = [&](long long i, long long j) {
    return std::fabs(A[i * pitch + j]) + std::fabs(u1[i] * v1[j]) + std::fabs(u2[i] * v2[j]);
  };
  for (long long at = 0; at < n * n; at += stride(n * n)) {
    const long long i = at / n, j = at % n;
    const std::string why =
        differs("A", i * pitch + j, call.now("A")[i * pitch + j], updated(i, j), size(i, j), 4 * unit);
    if (!why.empty()) return why;
  }
  for (long long i = 0; i < n; i += stride(n, 200)) {
    double want = y[i], scale = std::fabs(y[i]);
    for (long long j = n - 1; j >= 0; --j) {
      want += updated(j, i) * beta * x[j];
      scale += size(j, i) * std::fabs(beta * x[j]);
    }
    const std::string why = differs("y", i, call.now("y")[i], want, scale, unit * (8 + std::sqrt(double(n))));
    if (!why.empty()) return why;
  }
  return {};
}
