// Orthonormal bases of blocks of vectors, one block a step, as block eigensolvers need them.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void gramschmidt(int ni, int nj, float* A, float* R, float* Q STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

// Vectors of n numbers, one a column, none close to what the others span.
std::vector<float> block(int n, int number) {
  const double most = 1 / std::sqrt(static_cast<double>(n));
  auto A = varied<float>(static_cast<std::size_t>(n) * n, number + 1, -most, most);
  for (int j = 0; j < n; ++j) A[static_cast<std::size_t>(j) * n + (j + number) % n] += 2;
  return A;
}

std::vector<double> times(const float* M, const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[i] += M[i * n + j] * x[j];
  }
  return y;
}

std::vector<double> transposed_times(const float* M, const std::vector<double>& x) {
  const std::size_t n = x.size();
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) y[j] += M[i * n + j] * x[i];
  }
  return y;
}

// The largest difference of Q R r from A r, of Q^T Q r from r, and of R from 0 below its diagonal.
double error_of(const float* A, const float* R, const float* Q, const std::vector<double>& r) {
  const std::size_t n = r.size();
  const std::vector<double> Ar = times(A, r), QRr = times(Q, times(R, r)),
                            QQr = transposed_times(Q, times(Q, r));
  double error = 0;
  for (std::size_t i = 0; i < n; ++i) {
    host::raise(error, std::fabs(QRr[i] - Ar[i]));
    host::raise(error, std::fabs(QQr[i] - r[i]));
    for (std::size_t j = 0; j < i; ++j) host::raise(error, std::fabs(R[i * n + j]));
  }
  return error;
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const std::size_t elements = static_cast<std::size_t>(n) * n;
  std::vector<float> all;
  for (int step = 0; step < repeats; ++step) {
    const auto one = block(n, step);
    all.insert(all.end(), one.begin(), one.end());
  }
  Buffer<float> A(all), R(all.size()), Q(all.size());
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (std::size_t at = 0; at < all.size(); at += elements)
      gramschmidt(n, n, A.data() + at, R.data() + at, Q.data() + at STREAM_ARG);
  });
  R.download();
  Q.download();

  // For one r with entries 1 and -1.
  std::vector<double> r = varied<double>(n, 2);
  for (double& v : r) v = v < 0 ? -1 : 1;
  for (std::size_t at = 0; at < all.size(); at += elements)
    host::raise(outcome.error, error_of(&all[at], &R.host[at], &Q.host[at], r));
  outcome.allowed = 2e-6 * std::sqrt(static_cast<double>(n));
  outcome.work = 2e-9 * n * n * n * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"gramschmidt", 384, 2, run};
