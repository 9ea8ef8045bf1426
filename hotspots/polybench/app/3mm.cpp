// A product of many matrices, four at a time: G = (A B) (C D) is the A of the next step.
#include <utility>

#include "dense.hpp"
#include "device.hpp"

extern "C" void mm3(int ni, int nj, int nk, int nl, int nm, const float* A, const float* B, const float* C,
                    const float* D, float* E, float* F, float* G STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::vector<float> first = host::square(size, 1);
  Buffer<float> A(first), B(host::square(size, 2)), C(host::square(size, 3)), D(host::square(size, 4)),
      E(first.size()), F(first.size()), G(first.size());
  Buffer<float>*from = &A, *to = &G;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      mm3(n, n, n, n, n, from->data(), B.data(), C.data(), D.data(), E.data(), F.data(),
          to->data() STREAM_ARG);
      std::swap(from, to);
    }
  });
  from->download();

  const host::Vector r = host::signs(size, 5);
  host::Vector expected = r;
  for (int step = 0; step < repeats; ++step)
    expected = host::product(B.host, host::product(C.host, host::product(D.host, expected)));
  host::raise_by_difference(outcome.error, host::product(from->host, r), host::product(first, expected));
  outcome.allowed = host::allowed_for_sums(3.0 * n * repeats);
  outcome.work = 6e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"3mm", 512, 3, run};
