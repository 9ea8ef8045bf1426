// A rank-2 update of a matrix and two products with it:
//   A += u1 v1^T + u2 v2^T,   x += beta * A^T y + z,   w += alpha * A x.
// A is n x n, row-major; every vector has n elements.
extern "C" void gemver(int n, float alpha, float beta, const float* u1, const float* v1, const float* u2,
                       const float* v2, const float* y, const float* z, float* A, float* x, float* w) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
    }
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x[i] += beta * A[j * n + i] * y[j];
    }
    x[i] += z[i];
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      w[i] += alpha * A[i * n + j] * x[j];
    }
  }
}
