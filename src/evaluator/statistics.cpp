#include "evaluator/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace noctune {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Continued fraction of the incomplete beta function, modified Lentz (DLMF 8.17.22).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 / std::max(std::abs(1 - (a + b) * x / (a + 1)), tiny);
  if (1 - (a + b) * x / (a + 1) < 0) d = -d;
  double h = d;
  for (int m = 1; m < 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    const double step = d * c;
    h *= step;
    if (std::abs(step - 1) < 1e-15) break;
  }
  return h;
}

double regularised_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// The t for which P(|T| >= t) = 0.05, by bisection on the monotone tail.
double student_critical(double dof) {
  double low = 0, high = 1e4;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (student_two_sided_p(middle, dof) > 0.05 ? low : high) = middle;
  }
  return high;
}

}  // namespace

double trimmed_mean(std::vector<double> samples, int trim) {
  if (trim < 0 || samples.size() <= 2 * static_cast<std::size_t>(trim))
    throw std::invalid_argument("trimmed mean: more than twice as many samples as are trimmed are needed");
  std::sort(samples.begin(), samples.end());
  const auto first = samples.begin() + trim, last = samples.end() - trim;
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

double median(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("median of nothing");
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  return samples.size() % 2 ? samples[half] : 0.5 * (samples[half - 1] + samples[half]);
}

Interval bootstrap_speedup(const std::vector<double>& reference, const std::vector<double>& candidate,
                           int trim, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<double> ratios, a(reference.size()), b(candidate.size());
  for (int repeat = 0; repeat < 1000; ++repeat) {
    for (double& value : a) value = reference[engine() % reference.size()];
    for (double& value : b) value = candidate[engine() % candidate.size()];
    ratios.push_back(trimmed_mean(a, trim) / trimmed_mean(b, trim));
  }
  std::sort(ratios.begin(), ratios.end());
  return {ratios[24], ratios[974]};
}

double student_two_sided_p(double t, double dof) {
  return regularised_beta(dof / 2, 0.5, dof / (dof + t * t));
}

StudentResult student_t(const std::vector<double>& observations) {
  const double n = static_cast<double>(observations.size());
  if (observations.size() < 2) throw std::invalid_argument("Student t needs at least two observations");
  StudentResult out;
  out.mean = mean(observations);
  const double error = standard_deviation(observations) / std::sqrt(n);
  const double reach = student_critical(n - 1) * error;
  out.low = out.mean - reach;
  out.high = out.mean + reach;
  out.p_value = error > 0 ? student_two_sided_p(out.mean / error, n - 1) : out.mean == 0 ? 1.0 : 0.0;
  return out;
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> out(p_values.size());
  double running = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    running = std::max(running, static_cast<double>(order.size() - i) * p_values[order[i]]);
    out[order[i]] = std::min(1.0, running);
  }
  return out;
}

double geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double standard_deviation(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace noctune
