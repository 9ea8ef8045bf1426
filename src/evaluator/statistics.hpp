// Statistics over timing samples: plain numbers in, plain numbers out.
#pragma once

#include <cstdint>
#include <vector>

namespace noctune {

// Mean of the samples after the `trim` lowest and highest are dropped (R samples, R > 2 trim).
double trimmed_mean(std::vector<double> samples, int trim);
double median(std::vector<double> samples);

struct Interval {
  double low = 0, high = 0;
};

// 95 % percentile bootstrap of trimmed_mean(reference) / trimmed_mean(candidate), each side resampled on its
// own: samples were taken in random order, and either side may have lost some. Deterministic for a given
// seed. Efron and Tibshirani (1993), ch. 13.
Interval bootstrap_speedup(const std::vector<double>& reference, const std::vector<double>& candidate,
                           int trim, std::uint64_t seed);

struct StudentResult {
  double mean = 0;           // of the observations
  double low = 0, high = 0;  // 95 % interval of the mean
  double p_value = 1;        // two-sided, mean = 0
};

// One-sample Student t on n >= 2 observations (here: log speed-ups of fresh process pairs).
StudentResult student_t(const std::vector<double>& observations);

// P(|T| >= |t|) for Student's t with `dof` degrees of freedom, by the regularised incomplete beta function
// (Abramowitz and Stegun 26.7.1).
double student_two_sided_p(double t, double dof);

// Holm's step-down adjustment: adjusted p-values in the order given. Holm (1979).
std::vector<double> holm(const std::vector<double>& p_values);

double geometric_mean(const std::vector<double>& values);
double standard_deviation(const std::vector<double>& values);

}  // namespace noctune
