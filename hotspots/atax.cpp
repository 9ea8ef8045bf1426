// A matrix times a vector, then the transpose times the result: t = A x, y = A^T t.
// A is m x n, row-major; x and y have n elements, t has m.
extern "C" void atax(int m, int n, const double* A, const double* x, double* y, double* t) {
  for (int j = 0; j < n; ++j) {
    y[j] = 0.0;
  }
  for (int i = 0; i < m; ++i) {
    t[i] = 0.0;
    for (int j = 0; j < n; ++j) {
      t[i] += A[i * n + j] * x[j];
    }
    for (int j = 0; j < n; ++j) {
      y[j] += A[i * n + j] * t[i];
    }
  }
}
