// The two products of a bi-conjugate gradient step: q = A p and s = A^T r.
// A is m x n, row-major; p and s have n elements, q and r have m.
extern "C" void bicg(int m, int n, const double* A, const double* p, const double* r, double* q, double* s) {
  for (int j = 0; j < n; ++j) {
    s[j] = 0.0;
  }
  for (int i = 0; i < m; ++i) {
    q[i] = 0.0;
    for (int j = 0; j < n; ++j) {
      s[j] += r[i] * A[i * n + j];
      q[i] += A[i * n + j] * p[j];
    }
  }
}
