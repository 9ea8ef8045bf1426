// A matrix and its transpose, each applied to a vector: x1 += A y1 and x2 += A^T y2.
// A is n x n, row-major; every vector has n elements.
extern "C" void mvt(int n, const float* A, const float* y1, const float* y2, float* x1, float* x2) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x1[i] += A[i * n + j] * y1[j];
    }
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      x2[i] += A[j * n + i] * y2[j];
    }
  }
}
