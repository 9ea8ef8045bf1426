// Covariances of variables that are measured in batches, one batch a step: noise that grows with the number
// of the variable, on means of their own.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void covariance(int m, int n, float* data, float* mean, float* cov STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

std::vector<double> means(const float* data, int m, int n) {
  std::vector<double> mean(m);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n) * m; ++i)
    mean[i % m] += data[i] / static_cast<double>(n);
  return mean;
}

// X^T (X r) / (n - 1), where X is data without its means.
std::vector<double> twice(const float* data, const std::vector<double>& mean, const std::vector<double>& r,
                          int n) {
  const std::size_t m = r.size();
  std::vector<double> y(m);
  for (int i = 0; i < n; ++i) {
    const float* row = data + i * m;
    double dot = 0;
    for (std::size_t j = 0; j < m; ++j) dot += (row[j] - mean[j]) * r[j];
    for (std::size_t j = 0; j < m; ++j) y[j] += (row[j] - mean[j]) * dot / (n - 1);
  }
  return y;
}

host::Outcome run(long size, int repeats) {
  const int m = static_cast<int>(size), n = m + 1;
  const std::size_t elements = static_cast<std::size_t>(n) * m;
  std::vector<float> all = varied<float>(elements * repeats, 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int variable = static_cast<int>(i % m);
    all[i] = all[i] * (0.5f + static_cast<float>(variable) / m) + 0.1f * (variable % 7);
  }
  Buffer<float> data(all), mean(m), cov(static_cast<std::size_t>(m) * m);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      covariance(m, n, data.data() + step * elements, mean.data(), cov.data() STREAM_ARG);
  });
  mean.download();
  cov.download();

  // The last batch. Freivalds: cov r against X^T (X r), for one r with entries 1 and -1.
  const float* last = &all[(repeats - 1) * elements];
  std::vector<double> r = varied<double>(m, 2);
  for (double& v : r) v = v < 0 ? -1 : 1;
  const std::vector<double> expected_mean = means(last, m, n), expected = twice(last, expected_mean, r, n);
  for (int a = 0; a < m; ++a) {
    double got = 0;
    for (int b = 0; b < m; ++b) got += cov.host[static_cast<std::size_t>(a) * m + b] * r[b];
    host::raise(outcome.error, std::fabs(got - expected[a]));
    host::raise(outcome.error, std::fabs(mean.host[a] - expected_mean[a]));
  }
  outcome.allowed = 1e-6 * std::sqrt(static_cast<double>(m));
  outcome.work = 1e-9 * n * m * (m + 1) * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"covariance", 512, 3, run};
