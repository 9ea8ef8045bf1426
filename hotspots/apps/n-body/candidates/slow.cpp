// Everything in double, with a power function for every pair.
#include <cmath>

extern "C" void n_body(int n, int sources, float softening, const float* position, const float* source,
                       const float* mass, float* acceleration) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double sum[3] = {};
    for (int j = 0; j < sources; ++j) {
      double away[3], square = static_cast<double>(softening) * softening;
      for (int k = 0; k < 3; ++k) {
        away[k] = static_cast<double>(source[3 * j + k]) - position[3 * i + k];
        square += away[k] * away[k];
      }
      for (int k = 0; k < 3; ++k) sum[k] += mass[j] * away[k] * std::pow(square, -1.5);
    }
    for (int k = 0; k < 3; ++k) acceleration[3 * i + k] += static_cast<float>(sum[k]);
  }
}
