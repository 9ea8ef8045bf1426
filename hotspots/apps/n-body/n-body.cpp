// Gravity of one group of bodies on another (G = 1, Plummer softening), added to what the group feels
// already:
//   a_i += sum over j of m_j (s_j - r_i) / (|s_j - r_i|^2 + softening^2)^(3/2).
// position, source and acceleration hold x, y, z of one body after the other.
#include <cmath>

extern "C" void n_body(int n, int sources, float softening, const float* position, const float* source,
                       const float* mass, float* acceleration) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < sources; ++j) {
      float dx = source[3 * j] - position[3 * i];
      float dy = source[3 * j + 1] - position[3 * i + 1];
      float dz = source[3 * j + 2] - position[3 * i + 2];
      float distance = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      float pull = mass[j] / (distance * distance * distance);
      acceleration[3 * i] += pull * dx;
      acceleration[3 * i + 1] += pull * dy;
      acceleration[3 * i + 2] += pull * dz;
    }
  }
}
