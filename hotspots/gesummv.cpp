// Sum of two matrix-vector products: y = alpha * A x + beta * B x.
// A and B are n x n, row-major; x and y have n elements.
extern "C" void gesummv(int n, double alpha, double beta, const double* A, const double* B, const double* x,
                        double* y) {
  for (int i = 0; i < n; ++i) {
    double from_a = 0.0;
    double from_b = 0.0;
    for (int j = 0; j < n; ++j) {
      from_a += A[i * n + j] * x[j];
      from_b += B[i * n + j] * x[j];
    }
    y[i] = alpha * from_a + beta * from_b;
  }
}
