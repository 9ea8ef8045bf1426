// A relaxation towards a matrix of scalar products: C <- 3/2 A A^T + C/2. C stays bounded and its limit, 3 A
// A^T, is known.
#include "dense.hpp"
#include "device.hpp"

extern "C" void syrk(int ni, int nj, float alpha, float beta, const float* A, float* C STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  Buffer<float> A(host::square(size, 1)), C(A.host.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) syrk(n, n, 1.5f, 0.5f, A.data(), C.data() STREAM_ARG);
  });
  C.download();

  const host::Vector r = host::signs(size, 2);
  host::Vector expected = host::product(A.host, host::transposed_product(A.host, r));
  for (double& v : expected) v *= 3 * (1 - std::pow(0.5, repeats));  // 1.5 (1 + 1/2 + 1/4 + ...)
  host::raise_by_difference(outcome.error, host::product(C.host, r), expected);
  outcome.allowed = host::allowed_for_sums(n);
  outcome.work = 2e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"syrk", 1024, 3, run};
