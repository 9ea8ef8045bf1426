// A matrix under steady rank-2 updates, with which x and w move on. After k steps A has grown by k times the
// update, and x and w by sums over the steps that are known in closed form.
#include "dense.hpp"
#include "device.hpp"

extern "C" void gemver(int n, float alpha, float beta, const float* u1, const float* v1, const float* u2,
                       const float* v2, const float* y, const float* z, float* A, float* x,
                       float* w STREAM_PARAM);

namespace {

using host::Buffer;
using host::combined;
using host::varied;
using host::Vector;

constexpr float alpha = 0.25f, beta = 0.5f;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// U = u1 v1^T + u2 v2^T, as large as A at the beginning.
struct Update {
  Vector u1, v1, u2, v2;

  Vector times(const Vector& x) const { return combined(dot(v1, x), u1, dot(v2, x), u2); }
  Vector transposed_times(const Vector& y) const { return combined(dot(u1, y), v1, dot(u2, y), v2); }
  Vector row(std::size_t i) const { return combined(u1[i], v1, u2[i], v2); }
};

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const double most = std::pow(3.0 / n, 0.25);
  Buffer<float> u1(varied<float>(size, 1, -most, most)), v1(varied<float>(size, 2, -most, most)),
      u2(varied<float>(size, 3, -most, most)), v2(varied<float>(size, 4, -most, most)),
      y(varied<float>(size, 5)), z(varied<float>(size, 6)), A(host::square(size, 7)),
      x(varied<float>(size, 8)), w(varied<float>(size, 9));
  const std::vector<float> first_A = A.host;
  const Vector first_x = host::widened(x.host), first_w = host::widened(w.host);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      gemver(n, alpha, beta, u1.data(), v1.data(), u2.data(), v2.data(), y.data(), z.data(), A.data(),
             x.data(), w.data() STREAM_ARG);
  });
  A.download();
  x.download();
  w.download();

  // Step k adds beta (A + k U)^T y + z to x and alpha (A + k U) x to w, where A is the first one.
  const Update U{host::widened(u1.host), host::widened(v1.host), host::widened(u2.host),
                 host::widened(v2.host)};
  const Vector wide_y = host::widened(y.host), growth = U.transposed_times(wide_y);
  const Vector steady = combined(beta, host::transposed_product(first_A, wide_y), 1, host::widened(z.host));
  Vector expected_x = first_x, expected_w = first_w, sum_of_x(size);
  for (int k = 1; k <= repeats; ++k) {
    expected_x = combined(1, first_x, 1, combined(k, steady, beta * k * (k + 1.0) / 2, growth));
    expected_w = combined(1, expected_w, alpha * k, U.times(expected_x));
    sum_of_x = combined(1, sum_of_x, 1, expected_x);
  }
  expected_w = combined(1, expected_w, alpha, host::product(first_A, sum_of_x));
  host::raise_by_difference(outcome.error, x.host, expected_x);
  host::raise_by_difference(outcome.error, w.host, expected_w);
  for (int i = 0; i < n; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(i) * n;
    const std::vector<float> before(first_A.begin() + from, first_A.begin() + from + n),
        after(A.host.begin() + from, A.host.begin() + from + n);
    host::raise_by_difference(outcome.error, after, combined(1, host::widened(before), repeats, U.row(i)));
  }
  outcome.allowed = host::allowed_for_sums(2.0 * n * repeats);
  outcome.work = 8e-9 * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"gemver", 4096, 5, run};
