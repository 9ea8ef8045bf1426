// European calls by the binomial tree of Cox, Ross and Rubinstein: over a step of years / steps the price goes up by
// the factor u = exp(volatility sqrt(years / steps)) or down by 1 / u. From the payoffs at the end, the values of a
// step are means of the two after them, until one is left. A block works on an option, a thread on a place in the tree.
// At most 255 steps.
__global__ void binomial_options_kernel(int steps, float rate, float volatility, const float* spot, const float* strike,
                                        const float* years, float* value) {
  __shared__ float call[256];
  int option = blockIdx.x;
  int t = threadIdx.x;
  float step = years[option] / steps;
  float spread = volatility * sqrtf(step);
  float up = expf(spread);
  float down = 1.0f / up;
  float growth = expf(rate * step);
  float chance = (growth - down) / (up - down);
  float weight_up = chance / growth;
  float weight_down = (1.0f - chance) / growth;

  float payoff = spot[option] * expf(spread * (2 * t - steps)) - strike[option];
  call[t] = payoff > 0.0f ? payoff : 0.0f;
  __syncthreads();
  for (int left = steps; left > 0; --left) {
    float mean = 0.0f;
    if (t < left) mean = weight_up * call[t + 1] + weight_down * call[t];
    __syncthreads();
    if (t < left) call[t] = mean;
    __syncthreads();
  }
  if (t == 0) value[option] = call[0];
}

extern "C" void binomial_options(int options, int steps, float rate, float volatility, const float* spot,
                                 const float* strike, const float* years, float* value, mep_stream_t stream) {
  binomial_options_kernel<<<options, steps + 1, 0, stream>>>(steps, rate, volatility, spot, strike, years, value);
}
