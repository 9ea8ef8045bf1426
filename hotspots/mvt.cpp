// A matrix and its transpose, each applied to a vector: x1 += A y1 and x2 += A^T y2.
// A is n x n, row-major; every vector has n elements.
extern "C" void mvt(int n, const double* A, const double* y1, const double* y2, double* x1, double* x2) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x1[i] += A[i * n + j] * y1[j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x2[i] += A[j * n + i] * y2[j];
    }
  }
}
