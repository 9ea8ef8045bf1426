// Powers of a random map: X <- X B, where B neither stretches nor shrinks on average.
#include <cmath>
#include <utility>

#include "device.hpp"
#include "program.hpp"

extern "C" void matrix_multiplication(int rows, int cols, int inner, const float* A, const float* B,
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
  const double spread = std::sqrt(3.0 / n);
  const std::vector<float> start = varied<float>(elements, 1);
  Buffer<float> X(start), mapped(elements), B(varied<float>(elements, 2, -spread, spread));
  Buffer<float>*now = &X, *next = &mapped;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      matrix_multiplication(n, n, n, now->data(), B.data(), next->data() STREAM_ARG);
      std::swap(now, next);
    }
  });
  now->download();

  // Freivalds: X r at the end against X at the start times B (B (... r)), for one r with entries 1 and -1.
  std::vector<double> r = varied<double>(n, 3);
  for (double& v : r) v = v < 0 ? -1 : 1;
  const std::vector<double> got = product(now->host, r);
  for (int step = 0; step < repeats; ++step) r = product(B.host, r);
  const std::vector<double> expected = product(start, r);
  for (int i = 0; i < n; ++i) host::raise(outcome.error, std::fabs(got[i] - expected[i]));
  outcome.allowed = 2e-7 * n * std::sqrt(static_cast<double>(repeats));
  outcome.work = 2e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"matrix-multiplication", 512, 5, run};
