// Yee scheme in two dimensions, TE mode, driven by a line source on the left edge.
static void sweep_ey(int nx, int ny, float* ey, const float* hz, const float* source, int t) {
#pragma omp parallel for
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      ey[i * ny + j] = i == 0 ? source[t] : ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

static void sweep_ex(int nx, int ny, float* ex, const float* hz) {
#pragma omp parallel for
  for (int i = 0; i < nx; ++i)
    for (int j = 1; j < ny; ++j) ex[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
}

static void sweep_hz(int nx, int ny, const float* ex, const float* ey, float* hz) {
#pragma omp parallel for
  for (int i = 0; i < nx - 1; ++i)
    for (int j = 0; j < ny - 1; ++j)
      hz[i * ny + j] -= 0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

void fdtd(int tmax, int nx, int ny, const float* source, float* ex, float* ey, float* hz) {
  for (int t = 0; t < tmax; ++t) {
    sweep_ey(nx, ny, ey, hz, source, t);
    sweep_ex(nx, ny, ex, hz);
    sweep_hz(nx, ny, ex, ey, hz);
  }
}
