// European options by the formula of Black and Scholes: with
//   d1 = (log(spot / strike) + (rate + volatility^2 / 2) years) / (volatility sqrt(years)),
//   d2 = d1 - volatility sqrt(years), and N the normal distribution's cumulative function,
//   call = spot N(d1) - strike exp(-rate years) N(d2), put = strike exp(-rate years) N(-d2) - spot N(-d1).
// N comes from the polynomial of Abramowitz and Stegun, 26.2.17.
#include <cmath>

static float normal_below(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" void black_scholes(int n, float rate, float volatility, const float* spot, const float* strike,
                              const float* years, float* call, float* put) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float spread = volatility * sqrtf(years[i]);
    float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
    float d2 = d1 - spread;
    float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = spot[i] * normal_below(d1) - discounted * normal_below(d2);
    put[i] = discounted * normal_below(-d2) - spot[i] * normal_below(-d1);
  }
}
