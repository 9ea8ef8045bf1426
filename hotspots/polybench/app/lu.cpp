// Factorisation of one matrix a step, as an implicit solver needs them. Each is dominated by its diagonal.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void lu(int n, float* A STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

// A r.
std::vector<double> product(const float* A, const std::vector<double>& r) {
  const std::size_t n = r.size();
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[i] += A[i * n + j] * r[j];
  }
  return y;
}

// L (U r), with ones on the diagonal of U.
std::vector<double> product_of_factors(const float* LU, const std::vector<double>& r) {
  const std::size_t n = r.size();
  std::vector<double> Ur = r, y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) Ur[i] += LU[i * n + j] * r[j];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) y[i] += LU[i * n + j] * Ur[j];
  }
  return y;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::size_t elements = static_cast<std::size_t>(n) * n;
  std::vector<float> given = varied<float>(elements * repeats, 1);
  const double diagonal = 2 * std::sqrt(static_cast<double>(n));
  for (int step = 0; step < repeats; ++step) {
    for (int i = 0; i < n; ++i) given[step * elements + static_cast<std::size_t>(i) * n + i] += diagonal;
  }
  Buffer<float> A(given);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) lu(n, A.data() + step * elements STREAM_ARG);
  });
  A.download();

  // Freivalds: L U r against A r, for one r with entries 1 and -1.
  std::vector<double> r = varied<double>(n, 2);
  for (double& v : r) v = v < 0 ? -1 : 1;
  for (int step = 0; step < repeats; ++step) {
    const std::vector<double> expected = product(&given[step * elements], r);
    const std::vector<double> got = product_of_factors(&A.host[step * elements], r);
    for (int i = 0; i < n; ++i) host::raise(outcome.error, std::fabs(got[i] - expected[i]));
  }
  outcome.allowed = 1e-6 * n;
  outcome.work = 2e-9 / 3 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"lu", 768, 4, run};
