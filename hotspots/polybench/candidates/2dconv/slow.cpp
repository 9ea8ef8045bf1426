// A general filter: any radius, weights in double behind a pointer. Nothing is known when it is compiled.
#include <vector>

static float at_point(const std::vector<double>& weights, int radius, int nj, const float* point) {
  double sum = 0.0;
  int tap = 0;
  for (int di = -radius; di <= radius; ++di) {
    for (int dj = -radius; dj <= radius; ++dj) {
      sum += weights[tap++] * point[di * nj + dj];
    }
  }
  return static_cast<float>(sum);
}

extern "C" void conv2d(int ni, int nj, const float* A, float* B) {
  const std::vector<double> weights{0.12, 0.17, -0.06, 0.21, 0.33, 0.09, -0.04, 0.11, 0.07};
  int radius = 0;
  while ((2 * radius + 1) * (2 * radius + 1) < static_cast<int>(weights.size())) ++radius;
#pragma omp parallel for
  for (int i = radius; i < ni - radius; ++i) {
    for (int j = radius; j < nj - radius; ++j) {
      B[i * nj + j] = at_point(weights, radius, nj, A + i * nj + j);
    }
  }
}
