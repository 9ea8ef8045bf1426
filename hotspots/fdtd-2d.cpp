// Finite differences in time for a transverse electromagnetic wave on a staggered nx x ny grid:
//   ex -= 0.5 d(hz)/dy,  ey -= 0.5 d(hz)/dx,  hz -= 0.7 (d(ex)/dy + d(ey)/dx),
// driven by source[t] along the edge i = 0. Row-major; 0.5 * 0.7 * 2 < 1 keeps the scheme stable.
extern "C" void fdtd_2d(int steps, int nx, int ny, double* ex, double* ey, double* hz, const double* source) {
  for (int t = 0; t < steps; ++t) {
    for (int j = 0; j < ny; ++j) {
      ey[j] = source[t];
    }
    for (int i = 1; i < nx; ++i) {
      for (int j = 0; j < ny; ++j) {
        ey[i * ny + j] = ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
      }
    }
    for (int i = 0; i < nx; ++i) {
      for (int j = 1; j < ny; ++j) {
        ex[i * ny + j] = ex[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
      }
    }
    for (int i = 0; i < nx - 1; ++i) {
      for (int j = 0; j < ny - 1; ++j) {
        hz[i * ny + j] = hz[i * ny + j] -
                         0.7 * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
      }
    }
  }
}
