// A change of basis along the last index of a tensor, step after step: A <- A C4. C4 changes lengths by about
// 1, so that A stays bounded.
#include "dense.hpp"
#include "device.hpp"

extern "C" void doitgen(int nr, int nq, int np, const float* C4, float* A, float* sum STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::vector<float> first = host::varied<float>(static_cast<std::size_t>(size) * size * size, 2);
  Buffer<float> C4(host::square(size, 1)), A(first), sum(first.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) doitgen(n, n, n, C4.data(), A.data(), sum.data() STREAM_ARG);
  });
  A.download();

  // As a matrix of n n rows, A after k steps is the first A times the k-th power of C4.
  const host::Vector r = host::signs(size, 3);
  host::Vector expected = r;
  for (int step = 0; step < repeats; ++step) expected = host::product(C4.host, expected);
  host::raise_by_difference(outcome.error, host::product(A.host, r), host::product(first, expected));
  outcome.allowed = host::allowed_for_sums(static_cast<double>(n) * repeats);
  outcome.work = 2e-9 * n * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"doitgen", 128, 5, run};
