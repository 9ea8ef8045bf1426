// Sum of two matrix-vector products: y = alpha * A x + beta * B x, with tmp = A x on the way.
// A and B are n x n, row-major; x, y and tmp have n elements.
extern "C" void gesummv(int n, float alpha, float beta, const float* A, const float* B, const float* x,
                        float* y, float* tmp) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    tmp[i] = 0.0f;
    y[i] = 0.0f;
    for (int j = 0; j < n; ++j) {
      tmp[i] += A[i * n + j] * x[j];
      y[i] += B[i * n + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}
