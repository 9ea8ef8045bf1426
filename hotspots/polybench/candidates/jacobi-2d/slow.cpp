// Every point in double and by a division.
extern "C" void jacobi_2d(int steps, int n, float* A, float* B) {
  for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; ++i) {
      for (int j = 1; j < n - 1; ++j) {
        double sum = A[i * n + j];
        sum += A[i * n + j - 1];
        sum += A[i * n + j + 1];
        sum += A[(i + 1) * n + j];
        sum += A[(i - 1) * n + j];
        B[i * n + j] = static_cast<float>(sum / 5.0);
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
