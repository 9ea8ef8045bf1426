// atax by hand: one pass over A, four rows at a time; the second product finds its rows in the cache while
// the first one fetches the next four. Every thread adds into its own y; the sums are joined at the end.
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

constexpr int block = 4;

// Adds the share of the four rows at `done` (with their t) to y and starts the next four rows' t, in one
// loop, so that memory streams all the time.
void finish_and_start(const double* done, const double* next, long n, const double* x, double* y, double* t) {
  const double *a0 = done, *a1 = done + n, *a2 = done + 2 * n, *a3 = done + 3 * n;
  const double *b0 = next, *b1 = next + n, *b2 = next + 2 * n, *b3 = next + 3 * n;
  const double d0 = t[0], d1 = t[1], d2 = t[2], d3 = t[3];
  double t0 = 0, t1 = 0, t2 = 0, t3 = 0;
#pragma omp simd reduction(+ : t0, t1, t2, t3)
  for (long j = 0; j < n; ++j) {
    y[j] += a0[j] * d0 + a1[j] * d1 + a2[j] * d2 + a3[j] * d3;
    t0 += b0[j] * x[j];
    t1 += b1[j] * x[j];
    t2 += b2[j] * x[j];
    t3 += b3[j] * x[j];
  }
  t[4] = t0, t[5] = t1, t[6] = t2, t[7] = t3;
}

void start(const double* a, long n, const double* x, double* t) {
  for (int r = 0; r < block; ++r) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < n; ++j) sum += a[r * n + j] * x[j];
    t[r] = sum;
  }
}

void finish(const double* a, long n, double* y, const double* t) {
#pragma omp simd
  for (long j = 0; j < n; ++j)
    y[j] += a[j] * t[0] + a[n + j] * t[1] + a[2 * n + j] * t[2] + a[3 * n + j] * t[3];
}

// Row blocks [first, end) of four rows.
void row_blocks(long first, long end, const double* A, long n, const double* x, double* y, double* t) {
  if (first >= end) return;
  const long size = block * n;
  start(A + first * size, n, x, t + first * block);
  for (long b = first; b + 1 < end; ++b) {
    finish_and_start(A + b * size, A + (b + 1) * size, n, x, y, t + b * block);
  }
  finish(A + (end - 1) * size, n, y, t + (end - 1) * block);
}

void one_row(const double* a, long n, const double* x, double* y, double* t) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (long j = 0; j < n; ++j) sum += a[j] * x[j];
#pragma omp simd
  for (long j = 0; j < n; ++j) y[j] += a[j] * sum;
  *t = sum;
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

extern "C" void atax(int m, int n, const double* A, const double* x, double* y, double* t) {
  const int threads = (long)m * n < 20000 ? 1 : thread_limit();
  const long stride = (n + 7) / 8 * 8 + 8;  // no two threads share a cache line
  std::vector<double> partial(stride * threads);
#pragma omp parallel num_threads(threads)
  {
    double* mine = partial.data() + stride * thread_index();
#pragma omp for schedule(static)
    for (int share = 0; share < threads; ++share) {
      const long blocks = m / block;
      row_blocks(blocks * share / threads, blocks * (share + 1) / threads, A, n, x, mine, t);
    }
#pragma omp single
    for (int i = m / block * block; i < m; ++i) one_row(A + (long)i * n, n, x, mine, t + i);
#pragma omp for simd schedule(static)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int p = 0; p < threads; ++p) sum += partial[stride * p + j];
      y[j] = sum;
    }
  }
}
