// Jacobi sweeps of the five-point mean on an n x n grid, `steps` in all. The border of A stays as given; B
// holds what a sweep makes until it is copied back.
extern "C" void jacobi_2d(int steps, int n, float* A, float* B) {
  for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i) {
      for (int j = 1; j < n - 1; ++j) {
        B[i * n + j] = 0.2f * (A[i * n + j] + A[i * n + j - 1] + A[i * n + j + 1] + A[(i + 1) * n + j] +
                               A[(i - 1) * n + j]);
      }
    }
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i) {
      for (int j = 1; j < n - 1; ++j) {
        A[i * n + j] = B[i * n + j];
      }
    }
  }
}
