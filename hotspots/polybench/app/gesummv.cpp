// A linear iteration by the sum of two matrices: y = 3/4 A x + 5/8 B x is the x of the next step. The sum
// changes lengths by about 1, so that x stays bounded.
#include <utility>

#include "dense.hpp"
#include "device.hpp"

extern "C" void gesummv(int n, float alpha, float beta, const float* A, const float* B, const float* x,
                        float* y, float* tmp STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::vector<float> first = host::varied<float>(size, 3);
  Buffer<float> A(host::square(size, 1)), B(host::square(size, 2)), x(first), y(size), tmp(size);
  Buffer<float>*from = &x, *to = &y;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      gesummv(n, 0.75f, 0.625f, A.data(), B.data(), from->data(), to->data(), tmp.data() STREAM_ARG);
      std::swap(from, to);
    }
  });
  from->download();

  host::Vector expected = host::widened(first);
  for (int step = 0; step < repeats; ++step)
    expected = host::combined(0.75, host::product(A.host, expected), 0.625, host::product(B.host, expected));
  host::raise_by_difference(outcome.error, from->host, expected);
  outcome.allowed = host::allowed_for_sums(2.0 * n * repeats);
  outcome.work = 4e-9 * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"gesummv", 4096, 10, run};
