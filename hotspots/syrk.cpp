// Symmetric rank-k update of the lower triangle: C = alpha * A * A^T + beta * C for j <= i.
// A is n x k, C is n x n, row-major; the part of C above the diagonal is left alone.
extern "C" void syrk(int n, int k, double alpha, double beta, const double* A, double* C) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      C[i * n + j] *= beta;
      for (int p = 0; p < k; ++p) {
        C[i * n + j] += alpha * A[i * k + p] * A[j * k + p];
      }
    }
  }
}
