// Finite differences in time for a transverse electromagnetic wave on a staggered nx x ny grid, row-major:
//   ex -= d(hz)/dj / 2,   ey -= d(hz)/di / 2,   hz -= 0.7 (d(ex)/dj + d(ey)/di),
// driven by ey = source[t] along the edge i = 0. Where a difference has no second point, the field stays.
extern "C" void fdtd_2d(int steps, int nx, int ny, float* ex, float* ey, float* hz, const float* source) {
  for (int t = 0; t < steps; ++t) {
    for (int j = 0; j < ny; ++j) {
      ey[j] = source[t];
    }
#pragma omp parallel for
    for (int i = 1; i < nx; ++i) {
      for (int j = 0; j < ny; ++j) {
        ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
      }
    }
#pragma omp parallel for
    for (int i = 0; i < nx; ++i) {
      for (int j = 1; j < ny; ++j) {
        ex[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
      }
    }
#pragma omp parallel for
    for (int i = 0; i < nx - 1; ++i) {
      for (int j = 0; j < ny - 1; ++j) {
        hz[i * ny + j] -=
            0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
      }
    }
  }
}
