// A book of options, valued anew for each of a series of volatilities from 0.2 to 0.4.
#include <cmath>

#include "device.hpp"
#include "program.hpp"

extern "C" void black_scholes(int n, float rate, float volatility, const float* spot, const float* strike,
                              const float* years, float* call, float* put STREAM_PARAM);

namespace {

using host::Buffer;
using host::varied;

double normal_below(double d) {
  return 0.5 * std::erfc(-d / std::sqrt(2.0));
}

host::Outcome run(long size, int repeats) {
  const int n = static_cast<int>(size);
  const float rate = 0.02f;
  float volatility = 0;
  Buffer<float> spot(varied<float>(n, 1, 5, 30)), strike(varied<float>(n, 2, 1, 100)),
      years(varied<float>(n, 3, 0.25, 10)), call(n), put(n);
  host::Outcome outcome;
  outcome.seconds = host::seconds_of([&] {
    for (int step = 1; step <= repeats; ++step) {
      volatility = 0.2f + 0.2f * static_cast<float>(step) / static_cast<float>(repeats);
      black_scholes(n, rate, volatility, spot.data(), strike.data(), years.data(), call.data(),
                    put.data() STREAM_ARG);
    }
  });
  call.download();
  put.download();

  // In double, by the error function, and the put by parity.
  for (int i = 0; i < n; ++i) {
    const double S = spot.host[i], T = years.host[i], spread = volatility * std::sqrt(T);
    const double discounted = strike.host[i] * std::exp(-rate * T), d = std::log(S / discounted) / spread;
    const double expected = S * normal_below(d + spread / 2) - discounted * normal_below(d - spread / 2);
    host::raise(outcome.error, std::fabs(call.host[i] - expected));
    host::raise(outcome.error, std::fabs(put.host[i] - (expected - S + discounted)));
  }
  outcome.allowed = 2e-4;  // of up to 100: the polynomial's 1e-7 of it, and twenty roundings
  outcome.work = 1e-6 * n * repeats;
  outcome.unit = "Moptions/s";
  return outcome;
}

}  // namespace

const host::Program host::program{"black-scholes", 4000000, 10, run};
