// A relaxation towards a product: C <- 3/2 A B + C/2, one product a step. C stays bounded and its limit, 3 A
// B, is known.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void gemm(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B,
                     float* C STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

// y = M x in double.
std::vector<double> product(const std::vector<float>& M, const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[i] += M[i * n + j] * x[j];
  }
  return y;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::size_t elements = static_cast<std::size_t>(n) * n;
  Buffer<float> A(varied<float>(elements, 1, -1.0 / n, 1.0 / n)), B(varied<float>(elements, 2)), C(elements);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      gemm(n, n, n, 1.5f, 0.5f, A.data(), B.data(), C.data() STREAM_ARG);
  });
  C.download();

  // Freivalds: C r against the same sum of products with r, for one r with entries 1 and -1.
  std::vector<double> r = varied<double>(n, 3);
  for (double& v : r) v = v < 0 ? -1 : 1;
  const std::vector<double> once = product(A.host, product(B.host, r)), got = product(C.host, r);
  const double steps = 1.5 * (1 - std::pow(0.5, repeats)) / 0.5;  // 1.5 (1 + 1/2 + 1/4 + ...)
  for (int i = 0; i < n; ++i) host::raise(outcome.error, std::fabs(got[i] - steps * once[i]));
  outcome.allowed = 1e-5 * std::sqrt(static_cast<double>(n));
  outcome.work = 2e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"gemm", 512, 10, run};
