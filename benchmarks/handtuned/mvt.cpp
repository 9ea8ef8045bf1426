// mvt by hand: both products from one pass over A, four rows at a time, so that A is read once.
// Every thread adds into its own part of x2; the sums are joined at the end.
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

constexpr int block = 4;

void rows_of_four(const double* A, long n, const double* y1, const double* y2, double* x1, double* x2) {
  const double *a0 = A, *a1 = A + n, *a2 = A + 2 * n, *a3 = A + 3 * n;
  const double r0 = y2[0], r1 = y2[1], r2 = y2[2], r3 = y2[3];
  double q0 = 0, q1 = 0, q2 = 0, q3 = 0;
#pragma omp simd reduction(+ : q0, q1, q2, q3)
  for (long j = 0; j < n; ++j) {
    q0 += a0[j] * y1[j];
    q1 += a1[j] * y1[j];
    q2 += a2[j] * y1[j];
    q3 += a3[j] * y1[j];
    x2[j] += r0 * a0[j] + r1 * a1[j] + r2 * a2[j] + r3 * a3[j];
  }
  x1[0] += q0, x1[1] += q1, x1[2] += q2, x1[3] += q3;
}

void one_row(const double* a, long n, const double* y1, double y2, double* x1, double* x2) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (long j = 0; j < n; ++j) {
    sum += a[j] * y1[j];
    x2[j] += y2 * a[j];
  }
  *x1 += sum;
}

int thread_limit() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

int thread_index() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

}  // namespace

extern "C" void mvt(int n, const double* A, const double* y1, const double* y2, double* x1, double* x2) {
  const int threads = (long)n * n < 20000 ? 1 : thread_limit();
  const long stride = (n + 7) / 8 * 8 + 8;  // no two threads share a cache line
  std::vector<double> partial(stride * threads);
#pragma omp parallel num_threads(threads)
  {
    double* mine = partial.data() + stride * thread_index();
#pragma omp for schedule(static)
    for (int b = 0; b < n / block; ++b) {
      const int i = b * block;
      rows_of_four(A + (long)i * n, n, y1, y2 + i, x1 + i, mine);
    }
#pragma omp single
    for (int i = n / block * block; i < n; ++i) one_row(A + (long)i * n, n, y1, y2[i], x1 + i, mine);
#pragma omp for simd schedule(static)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int t = 0; t < threads; ++t) sum += partial[stride * t + j];
      x2[j] += sum;
    }
  }
}
