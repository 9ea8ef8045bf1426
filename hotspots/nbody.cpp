// Gravitational accelerations by direct summation with Plummer softening (G = 1):
//   a_i = sum over j of m_j (r_j - r_i) / (|r_j - r_i|^2 + softening^2)^(3/2).
// position and acceleration hold x, y, z of one body after the other.
#include <cmath>

extern "C" void nbody(int n, float softening, const float* position, const float* mass, float* acceleration) {
  for (int i = 0; i < n; ++i) {
    acceleration[3 * i] = 0.0f;
    acceleration[3 * i + 1] = 0.0f;
    acceleration[3 * i + 2] = 0.0f;
    for (int j = 0; j < n; ++j) {
      float dx = position[3 * j] - position[3 * i];
      float dy = position[3 * j + 1] - position[3 * i + 1];
      float dz = position[3 * j + 2] - position[3 * i + 2];
      float distance = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      float pull = mass[j] / (distance * distance * distance);
      acceleration[3 * i] += pull * dx;
      acceleration[3 * i + 1] += pull * dy;
      acceleration[3 * i + 2] += pull * dz;
    }
  }
}
