// General matrix product: C = alpha * A * B + beta * C.
// A is m x k, B is k x n, C is m x n, all row-major.
extern "C" void gemm(int m, int n, int k, double alpha, double beta, const double* A, const double* B,
                     double* C) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      C[i * n + j] = beta * C[i * n + j];
      for (int p = 0; p < k; ++p) {
        C[i * n + j] += alpha * A[i * k + p] * B[p * n + j];
      }
    }
  }
}
