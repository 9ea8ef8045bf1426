// Haar transform of a signal of n values, n a power of two, over all levels: a level turns each pair a, b
// into its approximation (a + b) / sqrt(2) and its detail (a - b) / sqrt(2); approximations go on to the next
// level. coefficients[0] is the last approximation, details of a level with h pairs follow from
// coefficients[h] on. approximations keeps those of all levels, one behind the other.
extern "C" void haar_wavelet(int n, const float* signal, float* approximations, float* coefficients) {
  const float* from = signal;
  float* to = approximations;
  for (int pairs = n / 2; pairs > 0; pairs /= 2) {
    if (pairs == 1) to = coefficients;
#pragma omp parallel for
    for (int i = 0; i < pairs; ++i) {
      to[i] = (from[2 * i] + from[2 * i + 1]) * 0.70710678f;
      coefficients[pairs + i] = (from[2 * i] - from[2 * i + 1]) * 0.70710678f;
    }
    from = to;
    to += pairs;
  }
}
