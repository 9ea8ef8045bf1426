// Two sequences that A and its transpose lead back and forth: r <- A p, p <- A^T r. A's largest singular
// value is near 1, so that they stay bounded.
#include <utility>

#include "dense.hpp"
#include "device.hpp"

extern "C" void bicg(int nx, int ny, const float* A, const float* p, const float* r, float* q,
                     float* s STREAM_PARAM);

namespace {

using host::Buffer;

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::vector<float> first_p = host::varied<float>(size, 2), first_r = host::varied<float>(size, 3);
  Buffer<float> A(host::square(size, 1, 0.5)), p(first_p), r(first_r), q(size), s(size);
  Buffer<float>*p_now = &p, *r_now = &r, *q_now = &q, *s_now = &s;
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step) {
      bicg(n, n, A.data(), p_now->data(), r_now->data(), q_now->data(), s_now->data() STREAM_ARG);
      std::swap(r_now, q_now);
      std::swap(p_now, s_now);
    }
  });
  p_now->download();
  r_now->download();

  host::Vector expected_p = host::widened(first_p), expected_r = host::widened(first_r);
  for (int step = 0; step < repeats; ++step) {
    host::Vector next_r = host::product(A.host, expected_p);
    expected_p = host::transposed_product(A.host, expected_r);
    expected_r = std::move(next_r);
  }
  host::raise_by_difference(outcome.error, p_now->host, expected_p);
  host::raise_by_difference(outcome.error, r_now->host, expected_r);
  outcome.allowed = host::allowed_for_sums(static_cast<double>(n) * repeats);
  outcome.work = 4e-9 * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"bicg", 4096, 10, run};
