// A relaxation towards a product of three matrices: D <- 3/2 A B C + D/2. D stays bounded and its limit, 3 A
// B C, is known. The customary size, 2048, takes a minute a step on one core.
#include "dense.hpp"
#include "device.hpp"

extern "C" void mm2(int ni, int nj, int nk, int nl, float alpha, float beta, const float* A, const float* B,
                    const float* C, float* D, float* tmp STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  Buffer<float> A(host::square(size, 1)), B(host::square(size, 2)), C(host::square(size, 3)),
      D(A.host.size()), tmp(A.host.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      mm2(n, n, n, n, 1.5f, 0.5f, A.data(), B.data(), C.data(), D.data(), tmp.data() STREAM_ARG);
  });
  D.download();

  const host::Vector r = host::signs(size, 4);
  host::Vector expected = host::product(A.host, host::product(B.host, host::product(C.host, r)));
  for (double& v : expected) v *= 3 * (1 - std::pow(0.5, repeats));  // 1.5 (1 + 1/2 + 1/4 + ...)
  host::raise_by_difference(outcome.error, host::product(D.host, r), expected);
  outcome.allowed = host::allowed_for_sums(2.0 * n);
  outcome.work = 4e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"2mm", 512, 5, run};
