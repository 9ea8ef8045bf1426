// Correlations of variables that are measured in batches, one batch a step. Pairs of variables share a part
// of their signal, and all have means and spreads of their own.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void correlation(int m, int n, float* data, float* mean, float* stddev, float* corr STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

// A batch: n observations of m variables.
std::vector<float> batch(int m, int n, int number) {
  const auto noise = varied<double>(static_cast<std::size_t>(n) * m, 2 * number + 1);
  std::vector<float> data(noise.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t variable = i % m, partner = i - variable % 2;
    data[i] = static_cast<float>((1 + 0.01 * (variable % 100)) * (noise[i] + noise[partner]) +
                                 0.1 * (variable % 7));
  }
  return data;
}

// Mean and deviation of every column, and the columns standardised, row by row in double.
struct Columns {
  std::vector<double> mean, stddev, z;

  Columns(const float* data, int m, int n) : mean(m), stddev(m), z(static_cast<std::size_t>(n) * m) {
    for (std::size_t i = 0; i < z.size(); ++i) mean[i % m] += data[i] / static_cast<double>(n);
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] = data[i] - mean[i % m];
      stddev[i % m] += z[i] * z[i] / n;
    }
    for (double& s : stddev) s = std::sqrt(s) <= 0.005 ? 1 : std::sqrt(s);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] /= stddev[i % m] * std::sqrt(static_cast<double>(n));
  }
};

// z^T (z r).
std::vector<double> twice(const std::vector<double>& z, const std::vector<double>& r) {
  const std::size_t m = r.size(), n = z.size() / m;
  std::vector<double> y(m);
  for (std::size_t i = 0; i < n; ++i) {
    double dot = 0;
    for (std::size_t j = 0; j < m; ++j) dot += z[i * m + j] * r[j];
    for (std::size_t j = 0; j < m; ++j) y[j] += z[i * m + j] * dot;
  }
  return y;
}

host::Outcome run(long size, int repeats) {
  const int m = static_cast<int>(size), n = m + 1;
  std::vector<float> all;
  for (int step = 0; step < repeats; ++step) {
    const auto one = batch(m, n, step);
    all.insert(all.end(), one.begin(), one.end());
  }
  const std::size_t elements = static_cast<std::size_t>(n) * m;
  Buffer<float> data(all), mean(m), stddev(m), corr(static_cast<std::size_t>(m) * m);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 0; step < repeats; ++step)
      correlation(m, n, data.data() + step * elements, mean.data(), stddev.data(), corr.data() STREAM_ARG);
  });
  for (Buffer<float>* buffer : {&mean, &stddev, &corr}) buffer->download();

  // The last batch. Freivalds: corr r against z^T (z r), for one r with entries 1 and -1.
  const Columns columns(&all[(repeats - 1) * elements], m, n);
  std::vector<double> r = varied<double>(m, 2);
  for (double& v : r) v = v < 0 ? -1 : 1;
  const std::vector<double> expected = twice(columns.z, r);
  for (int a = 0; a < m; ++a) {
    double got = 0;
    for (int b = 0; b < m; ++b) got += corr.host[static_cast<std::size_t>(a) * m + b] * r[b];
    host::raise(outcome.error, std::fabs(got - expected[a]));
    host::raise(outcome.error, std::fabs(mean.host[a] - columns.mean[a]));
    host::raise(outcome.error, std::fabs(stddev.host[a] - columns.stddev[a]));
  }
  outcome.allowed = 1e-6 * std::sqrt(static_cast<double>(m));
  outcome.work = 1e-9 * n * m * m * repeats;
  outcome.unit = "Gflop/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"correlation", 512, 3, run};
