// gesummv by hand: two rows of A and of B at a time against one load of x, rows shared among threads.
namespace {

void two_rows(const double* A, const double* B, long n, double alpha, double beta, const double* x,
              double* y) {
  const double *a0 = A, *a1 = A + n, *b0 = B, *b1 = B + n;
  double from_a0 = 0, from_a1 = 0, from_b0 = 0, from_b1 = 0;
#pragma omp simd reduction(+ : from_a0, from_a1, from_b0, from_b1)
  for (long j = 0; j < n; ++j) {
    from_a0 += a0[j] * x[j];
    from_a1 += a1[j] * x[j];
    from_b0 += b0[j] * x[j];
    from_b1 += b1[j] * x[j];
  }
  y[0] = alpha * from_a0 + beta * from_b0;
  y[1] = alpha * from_a1 + beta * from_b1;
}

double one_row(const double* a, const double* b, long n, double alpha, double beta, const double* x) {
  double from_a = 0, from_b = 0;
#pragma omp simd reduction(+ : from_a, from_b)
  for (long j = 0; j < n; ++j) {
    from_a += a[j] * x[j];
    from_b += b[j] * x[j];
  }
  return alpha * from_a + beta * from_b;
}

}  // namespace

extern "C" void gesummv(int n, double alpha, double beta, const double* A, const double* B, const double* x,
                        double* y) {
#pragma omp parallel for schedule(static) if ((long)n * n > 20000)
  for (int i = 0; i < n / 2 * 2; i += 2) two_rows(A + (long)i * n, B + (long)i * n, n, alpha, beta, x, y + i);
  if (n % 2 == 1) {
    const long last = n - 1;
    y[last] = one_row(A + last * n, B + last * n, n, alpha, beta, x);
  }
}
