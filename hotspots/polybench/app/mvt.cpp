// Two forces that do not change push two positions, step after step: x1 += A y1, x2 += A^T y2. After k steps
// each has moved by k times its first move.
#include "dense.hpp"
#include "device.hpp"

extern "C" void mvt(int n, const float* A, const float* y1, const float* y2, float* x1,
                    float* x2 STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  Buffer<float> A(host::square(size, 1)), y1(varied<float>(size, 2)), y2(varied<float>(size, 3)),
      x1(varied<float>(size, 4)), x2(varied<float>(size, 5));
  const host::Vector first1 = host::widened(x1.host), first2 = host::widened(x2.host);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      mvt(n, A.data(), y1.data(), y2.data(), x1.data(), x2.data() STREAM_ARG);
  });
  x1.download();
  x2.download();

  const host::Vector move1 = host::product(A.host, host::widened(y1.host)),
                     move2 = host::transposed_product(A.host, host::widened(y2.host));
  host::raise_by_difference(outcome.error, x1.host, host::combined(1, first1, repeats, move1));
  host::raise_by_difference(outcome.error, x2.host, host::combined(1, first2, repeats, move2));
  outcome.allowed = host::allowed_for_sums(static_cast<double>(n) * repeats);
  outcome.work = 4e-9 * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"mvt", 4096, 10, run};
