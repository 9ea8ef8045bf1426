// European calls by the binomial tree of Cox, Ross and Rubinstein: over a step of years / steps the price
// goes up by the factor u = exp(volatility sqrt(years / steps)) or down by 1 / u. From the payoffs at the
// end, the values of a step are means of the two after them, until one is left. At most 255 steps.
#include <cmath>

extern "C" void binomial_options(int options, int steps, float rate, float volatility, const float* spot,
                                 const float* strike, const float* years, float* value) {
#pragma omp parallel for
  for (int option = 0; option < options; ++option) {
    float step = years[option] / static_cast<float>(steps);
    float spread = volatility * sqrtf(step);
    float up = expf(spread);
    float down = 1.0f / up;
    float growth = expf(rate * step);
    float chance = (growth - down) / (up - down);
    float weight_up = chance / growth;
    float weight_down = (1.0f - chance) / growth;

    float call[256];
    for (int t = 0; t <= steps; ++t) {
      float payoff = spot[option] * expf(spread * static_cast<float>(2 * t - steps)) - strike[option];
      call[t] = payoff > 0.0f ? payoff : 0.0f;
    }
    for (int left = steps; left > 0; --left) {
      for (int t = 0; t < left; ++t) {
        call[t] = weight_up * call[t + 1] + weight_down * call[t];
      }
    }
    value[option] = call[0];
  }
}
