// A relaxation towards a symmetric product: C <- 3/2 (A B^T + B A^T) + C/2. C stays bounded and its limit is
// twice the first step. The customary size, 2048, takes about ten seconds a step on one core.
#include "dense.hpp"
#include "device.hpp"

extern "C" void syr2k(int ni, int nj, float alpha, float beta, const float* A, const float* B,
                      float* C STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  Buffer<float> A(host::square(size, 1)), B(host::square(size, 2)), C(A.host.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      syr2k(n, n, 1.5f, 0.5f, A.data(), B.data(), C.data() STREAM_ARG);
  });
  C.download();

  const host::Vector r = host::signs(size, 3);
  const double steps = 3 * (1 - std::pow(0.5, repeats));  // 1.5 (1 + 1/2 + 1/4 + ...)
  const host::Vector expected =
      host::combined(steps, host::product(A.host, host::transposed_product(B.host, r)), steps,
                     host::product(B.host, host::transposed_product(A.host, r)));
  host::raise_by_difference(outcome.error, host::product(C.host, r), expected);
  outcome.allowed = host::allowed_for_sums(2.0 * n);
  outcome.work = 4e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"syr2k", 1024, 3, run};
