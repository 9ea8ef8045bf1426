// Sums in registers. Wrong: leaves out source i as the body itself, but both groups are the same only
// sometimes.
#include <cmath>

extern "C" void n_body(int n, int sources, float softening, const float* position, const float* source,
                       const float* mass, float* acceleration) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < sources; ++j) {
      if (j == i) continue;
      const float dx = source[3 * j] - position[3 * i];
      const float dy = source[3 * j + 1] - position[3 * i + 1];
      const float dz = source[3 * j + 2] - position[3 * i + 2];
      const float square = dx * dx + dy * dy + dz * dz + softening * softening;
      const float pull = mass[j] / (square * std::sqrt(square));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    acceleration[3 * i] += ax;
    acceleration[3 * i + 1] += ay;
    acceleration[3 * i + 2] += az;
  }
}
