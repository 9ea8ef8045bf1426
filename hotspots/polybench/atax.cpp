// A matrix times a vector, then the transpose times the result: tmp = A x, y = A^T tmp.
// A is nx x ny, row-major; x and y have ny elements, tmp has nx.
extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
#pragma omp parallel for
  for (int i = 0; i < nx; ++i) {
    tmp[i] = 0.0f;
    for (int j = 0; j < ny; ++j) {
      tmp[i] += A[i * ny + j] * x[j];
    }
  }
#pragma omp parallel for
  for (int j = 0; j < ny; ++j) {
    y[j] = 0.0f;
    for (int i = 0; i < nx; ++i) {
      y[j] += A[i * ny + j] * tmp[i];
    }
  }
}
