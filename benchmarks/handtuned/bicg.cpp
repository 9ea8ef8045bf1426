// bicg by hand: both products from one pass over A, four rows at a time, so that A is read once.
// Every thread adds into its own s; the sums are joined at the end.
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

constexpr int block = 4;

void rows_of_four(const double* A, long n, const double* p, const double* r, double* q, double* s) {
  const double *a0 = A, *a1 = A + n, *a2 = A + 2 * n, *a3 = A + 3 * n;
  const double r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
  double q0 = 0, q1 = 0, q2 = 0, q3 = 0;
#pragma omp simd reduction(+ : q0, q1, q2, q3)
  for (long j = 0; j < n; ++j) {
    q0 += a0[j] * p[j];
    q1 += a1[j] * p[j];
    q2 += a2[j] * p[j];
    q3 += a3[j] * p[j];
    s[j] += r0 * a0[j] + r1 * a1[j] + r2 * a2[j] + r3 * a3[j];
  }
  q[0] = q0, q[1] = q1, q[2] = q2, q[3] = q3;
}

void one_row(const double* a, long n, const double* p, double r, double* q, double* s) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (long j = 0; j < n; ++j) {
    sum += a[j] * p[j];
    s[j] += r * a[j];
  }
  *q = sum;
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

extern "C" void bicg(int m, int n, const double* A, const double* p, const double* r, double* q, double* s) {
  const int threads = (long)m * n < 20000 ? 1 : thread_limit();
  const long stride = (n + 7) / 8 * 8 + 8;  // no two threads share a cache line
  std::vector<double> partial(stride * threads);
#pragma omp parallel num_threads(threads)
  {
    double* mine = partial.data() + stride * thread_index();
#pragma omp for schedule(static)
    for (int b = 0; b < m / block; ++b) {
      const int i = b * block;
      rows_of_four(A + (long)i * n, n, p, r + i, q + i, mine);
    }
#pragma omp single
    for (int i = m / block * block; i < m; ++i) one_row(A + (long)i * n, n, p, r[i], q + i, mine);
#pragma omp for simd schedule(static)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int t = 0; t < threads; ++t) sum += partial[stride * t + j];
      s[j] = sum;
    }
  }
}
