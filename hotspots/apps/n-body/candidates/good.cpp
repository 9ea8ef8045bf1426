// Sources are packed by coordinate first, so that many of them are met at a time, and sums stay in registers.
#include <cmath>
#include <vector>

extern "C" void n_body(int n, int sources, float softening, const float* position, const float* source,
                       const float* mass, float* acceleration) {
  std::vector<float> packed(3 * static_cast<std::size_t>(sources));
  float* const x = packed.data();
  float* const y = x + sources;
  float* const z = y + sources;
  for (int j = 0; j < sources; ++j) {
    x[j] = source[3 * j];
    y[j] = source[3 * j + 1];
    z[j] = source[3 * j + 2];
  }
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    const float px = position[3 * i], py = position[3 * i + 1], pz = position[3 * i + 2];
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int j = 0; j < sources; ++j) {
      const float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
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
