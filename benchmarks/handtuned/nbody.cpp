// nbody by hand: bodies copied to structure-of-arrays form, 16 or 32 targets in vector lanes against one
// source at a time, and the processor's fast reciprocal root with one Newton step in place of a root and a
// division.
#include <algorithm>
#include <cmath>
#include <vector>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace {

constexpr int lanes = 16;
constexpr int target_vectors = 4;
constexpr int targets = lanes * target_vectors;

using Vector = float __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));

inline Vector reciprocal_root(Vector x) {
#ifdef __AVX512F__
  const Vector guess = _mm512_maskz_rsqrt14_ps(0xffff, x);
  return guess * (1.5f - 0.5f * x * guess * guess);  // from 14 bits to 24
#else
  Vector y;
  for (int l = 0; l < lanes; ++l) y[l] = 1.0f / std::sqrt(x[l]);
  return y;
#endif
}

// Positions and masses in four arrays; padding bodies have no mass.
struct Bodies {
  std::vector<float> x, y, z, mass;
  Bodies(int n, const float* position, const float* m)
      : x(padded(n)), y(padded(n)), z(padded(n)), mass(padded(n)) {
    for (int i = 0; i < n; ++i) {
      x[i] = position[3 * i];
      y[i] = position[3 * i + 1];
      z[i] = position[3 * i + 2];
      mass[i] = m[i];
    }
  }
  static long padded(int n) { return (n + targets - 1) / targets * targets; }
};

void pull_on(const Bodies& b, int first, int n, float softening2, float* acceleration) {
  Vector x[target_vectors], y[target_vectors], z[target_vectors];
  Vector ax[target_vectors] = {}, ay[target_vectors] = {}, az[target_vectors] = {};
  for (int v = 0; v < target_vectors; ++v) {
    x[v] = *reinterpret_cast<const Vector*>(&b.x[first + v * lanes]);
    y[v] = *reinterpret_cast<const Vector*>(&b.y[first + v * lanes]);
    z[v] = *reinterpret_cast<const Vector*>(&b.z[first + v * lanes]);
  }
  const float *sx = b.x.data(), *sy = b.y.data(), *sz = b.z.data(), *mass = b.mass.data();
  for (int j = 0; j < n; ++j) {
#pragma GCC unroll 4
    for (int v = 0; v < target_vectors; ++v) {
      const Vector dx = sx[j] - x[v], dy = sy[j] - y[v], dz = sz[j] - z[v];
      const Vector inverse = reciprocal_root(dx * dx + dy * dy + dz * dz + softening2);
      const Vector pull = mass[j] * inverse * inverse * inverse;
      ax[v] += pull * dx;
      ay[v] += pull * dy;
      az[v] += pull * dz;
    }
  }
  for (int i = first; i < std::min(n, first + targets); ++i) {
    const int v = (i - first) / lanes, l = (i - first) % lanes;
    acceleration[3 * i] = ax[v][l];
    acceleration[3 * i + 1] = ay[v][l];
    acceleration[3 * i + 2] = az[v][l];
  }
}

}  // namespace

extern "C" void nbody(int n, float softening, const float* position, const float* mass, float* acceleration) {
  const Bodies bodies(n, position, mass);
#pragma omp parallel for schedule(dynamic) if (n > targets)
  for (int first = 0; first < n; first += targets) {
    pull_on(bodies, first, n, softening * softening, acceleration);
  }
}
