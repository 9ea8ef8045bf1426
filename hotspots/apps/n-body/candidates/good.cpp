// Sources are packed by coordinate first, so that many of them are met at a time; sums stay in registers, and
// the inverse of the distance comes from an estimate by its exponent and three steps of Newton's method,
// without a root or a division.
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

inline float inverse_root(float square) {
  std::int32_t bits;
  std::memcpy(&bits, &square, sizeof bits);
  bits = 0x5f3759df - (bits >> 1);
  float root;
  std::memcpy(&root, &bits, sizeof root);
  const float half = 0.5f * square;
  root *= 1.5f - half * root * root;
  root *= 1.5f - half * root * root;
  return root * (1.5f - half * root * root);
}

}  // namespace

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
  const float soft = softening * softening;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    const float px = position[3 * i], py = position[3 * i + 1], pz = position[3 * i + 2];
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (int j = 0; j < sources; ++j) {
      const float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
      const float inverse = inverse_root(dx * dx + dy * dy + dz * dz + soft);
      const float pull = mass[j] * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    acceleration[3 * i] += ax;
    acceleration[3 * i + 1] += ay;
    acceleration[3 * i + 2] += az;
  }
}
