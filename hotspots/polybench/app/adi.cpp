// Heat that leaves a plate through its cold rim. It starts as a few standing waves, so that the plate is
// known after any number of steps.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void adi(int steps, int n, float r, float* u, float* v, float* p, float* q STREAM_PARAM);

namespace {

using host::Buffer;

constexpr float r = 0.75f;

// What a step leaves of a wave of number p in one direction: (1 - r d) / (1 + r d), d = 2 - 2 cos.
double kept(int n, int p) {
  const double d = 2 - 2 * std::cos(p * std::acos(-1.0) / (n + 1));
  return (1 - r * d) / (1 + r * d);
}

// The plate after `steps`.
std::vector<double> plate(int n, int steps) {
  const double angle = std::acos(-1.0) / (n + 1);
  std::vector<double> u(static_cast<std::size_t>(n) * n), across(n);
  const int waves[5][2] = {{1, 2}, {3, 1}, {n / 7 + 1, 2}, {5, n / 5 + 1}, {n, n}};
  for (const auto& [p, q] : waves) {
    const double amplitude = std::pow(kept(n, p) * kept(n, q), steps);
    for (int j = 0; j < n; ++j) across[j] = amplitude * std::sin(q * (j + 1) * angle);
    for (int i = 0; i < n; ++i) {
      const double along = std::sin(p * (i + 1) * angle);
      for (int j = 0; j < n; ++j) u[static_cast<std::size_t>(i) * n + j] += along * across[j];
    }
  }
  return u;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size), steps = 2;
  const std::vector<double> before = plate(n, 0), after = plate(n, steps * repeats);
  Buffer<float> u(std::vector<float>(before.begin(), before.end()));
  Buffer<float> v(before.size()), p(before.size()), q(before.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int call = 0; call < repeats; ++call)
      adi(steps, n, r, u.data(), v.data(), p.data(), q.data() STREAM_ARG);
  });
  u.download();
  for (std::size_t i = 0; i < after.size(); ++i) host::raise(outcome.error, std::fabs(u.host[i] - after[i]));
  outcome.allowed = 3e-6 * steps * repeats;  // roundings of waves that hardly fade add up
  outcome.work = 1e-9 * n * n * steps * repeats;
  outcome.unit = "Gpoint/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"adi", 1024, 5, run};
