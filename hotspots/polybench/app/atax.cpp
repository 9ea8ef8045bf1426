// Power iteration on A^T A: y is the x of the next step, and turns towards the first right singular vector.
// A's largest singular value is near 1, so that no step has to normalise.
#include <utility>

#include "dense.hpp"
#include "device.hpp"

extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::vector<float> first = host::varied<float>(size, 2);
  Buffer<float> A(host::square(size, 1, 0.5)), x(first), y(size), tmp(size);
  Buffer<float>*from = &x, *to = &y;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      atax(n, n, A.data(), from->data(), to->data(), tmp.data() STREAM_ARG);
      std::swap(from, to);
    }
  });
  from->download();

  host::Vector expected = host::widened(first);
  for (int step = 0; step < repeats; ++step)
    expected = host::transposed_product(A.host, host::product(A.host, expected));
  host::raise_by_difference(outcome.error, from->host, expected);
  outcome.allowed = host::allowed_for_sums(2.0 * n * repeats);
  outcome.work = 4e-9 * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"atax", 4096, 10, run};
