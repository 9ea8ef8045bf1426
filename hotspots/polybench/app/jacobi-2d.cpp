// Relaxation of a plate whose rim is held at temperatures that rise linearly from corner to corner. What the
// plate holds beyond that are a few standing waves, so that its state after any number of sweeps is known.
#include <algorithm>
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void jacobi_2d(int steps, int n, float* A, float* B STREAM_PARAM);

namespace {

using host::Buffer;

// The plate after `sweeps`: a mean of five leaves what is linear as it is, and multiplies a product of sines
// by a fifth of 1 + 2 cos + 2 cos.
std::vector<double> plate(int n, int sweeps) {
  const double angle = std::acos(-1.0) / std::max(n - 1, 1);
  std::vector<double> A(static_cast<std::size_t>(n) * n), across(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A[static_cast<std::size_t>(i) * n + j] = (i + 0.5 * j) / n;
  }
  const int waves[4][2] = {{1, 2}, {3, 1}, {n / 7 + 1, 2}, {5, n / 5 + 1}};
  for (const auto& [p, q] : waves) {
    const double factor = (1 + 2 * std::cos(p * angle) + 2 * std::cos(q * angle)) / 5;
    for (int j = 0; j < n; ++j) across[j] = std::pow(factor, sweeps) * std::sin(q * j * angle);
    for (int i = 0; i < n; ++i) {
      const double along = std::sin(p * i * angle);
      for (int j = 0; j < n; ++j) A[static_cast<std::size_t>(i) * n + j] += along * across[j];
    }
  }
  return A;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size), steps = 20;
  const std::vector<double> before = plate(n, 0), after = plate(n, steps * repeats);
  Buffer<float> A(std::vector<float>(before.begin(), before.end())), B(before.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int call = 0; call < repeats; ++call) jacobi_2d(steps, n, A.data(), B.data() STREAM_ARG);
  });
  A.download();
  for (std::size_t i = 0; i < after.size(); ++i) host::raise(outcome.error, std::fabs(A.host[i] - after[i]));
  outcome.allowed = 4e-7 * steps * repeats;  // roundings of waves that hardly fade add up
  outcome.work = 1e-9 * n * n * steps * repeats;
  outcome.unit = "Gpoint/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"jacobi-2d", 1024, 10, run};
