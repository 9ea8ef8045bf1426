// A book of options, valued by trees of 254 steps anew for each of a series of volatilities from 0.2 to 0.4.
#include <algorithm>
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void binomial_options(int options, int steps, float rate, float volatility, const float* spot,
                                 const float* strike, const float* years, float* value STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

constexpr int steps = 254;

// Logarithms of the number of ways to each end of the tree.
std::vector<double> log_ways() {
  std::vector<double> ways(steps + 1);
  for (int ups = 0; ups <= steps; ++ups)
    ways[ups] = std::lgamma(steps + 1.0) - std::lgamma(ups + 1.0) - std::lgamma(steps - ups + 1.0);
  return ways;
}

// The mean payoff over the ends of the tree, each with its chance, in double.
double mean_payoff(const std::vector<double>& ways, double rate, double volatility, double spot,
                   double strike, double years) {
  const double spread = volatility * std::sqrt(years / steps), growth = rate * years / steps;
  const double chance = std::expm1(growth + spread) / std::expm1(2 * spread);
  const double log_up = std::log(chance), log_down = std::log1p(-chance);
  double mean = 0;
  for (int ups = 0; ups <= steps; ++ups) {
    const double payoff = spot * std::exp(spread * (2 * ups - steps)) - strike;
    mean += std::max(payoff, 0.0) * std::exp(ways[ups] + ups * log_up + (steps - ups) * log_down);
  }
  return mean * std::exp(-rate * years);
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const float rate = 0.02f;
  float volatility = 0;
  Buffer<float> spot(varied<float>(n, 1, 5, 30)), strike(varied<float>(n, 2, 1, 100)),
      years(varied<float>(n, 3, 0.25, 10)), value(n);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 1; step <= repeats; ++step) {
      volatility = 0.2f + 0.2f * static_cast<float>(step) / static_cast<float>(repeats);
      binomial_options(n, steps, rate, volatility, spot.data(), strike.data(), years.data(),
                       value.data() STREAM_ARG);
    }
  });
  value.download();

  const std::vector<double> ways = log_ways();
  for (int i = 0; i < n; ++i) {
    const double expected = mean_payoff(ways, rate, volatility, spot.host[i], strike.host[i], years.host[i]);
    host::raise(outcome.error, std::fabs(value.host[i] - expected));
  }
  outcome.allowed = 2e-3;  // of up to 30: a rounding of the weights comes back in each of the steps
  outcome.work = 1e-6 * n * repeats;
  outcome.unit = "Moptions/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"binomial-options", 16384, 3, run};
