// Jacobi sweeps of the five-point average on an n x n grid, from A to B and back, 2 * steps sweeps in all.
// The border of both grids stays as given.
static void sweep(int n, const double* from, double* to) {
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      to[i * n + j] = 0.2 * (from[i * n + j] + from[i * n + j - 1] + from[i * n + j + 1] +
                             from[(i + 1) * n + j] + from[(i - 1) * n + j]);
    }
  }
}

extern "C" void jacobi_2d(int steps, int n, double* A, double* B) {
  for (int t = 0; t < steps; ++t) {
    sweep(n, A, B);
    sweep(n, B, A);
  }
}
