// Two matrix products in a row: D = alpha * A * B * C + beta * D, with the intermediate T = alpha * A * B.
// A is m x k, B is k x n, C is n x l, D is m x l, T is m x n, all row-major.
extern "C" void two_mm(int m, int n, int k, int l, double alpha, double beta, const double* A,
                       const double* B, const double* C, double* D, double* T) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      T[i * n + j] = 0.0;
      for (int p = 0; p < k; ++p) {
        T[i * n + j] += alpha * A[i * k + p] * B[p * n + j];
      }
    }
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < l; ++j) {
      D[i * l + j] *= beta;
      for (int p = 0; p < n; ++p) {
        D[i * l + j] += T[i * n + p] * C[p * l + j];
      }
    }
  }
}
