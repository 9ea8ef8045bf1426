// jacobi-2d by hand: many sweeps in one pass over memory. The grid is cut into bands of rows, one a thread.
// Inside a band, sweep s follows sweep s - 1 one row and one column behind, strip by strip, so that what one
// sweep wrote is read by the next from the cache. Bands shrink by a row a sweep where they meet (phase 1);
// the wedges left between them are filled once both sides are done (phase 2).
#include <algorithm>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

constexpr long cache_bytes = 1 << 20;  // what the rows in flight of one thread may take
constexpr int group = 4;               // rows computed together, to load shared rows once
constexpr long strip = 64;             // columns taken through all sweeps before the next ones

int thread_limit() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

using Vector = double __attribute__((vector_size(64), aligned(8), may_alias));
constexpr int lanes = 8;

inline Vector load(const double* p) {
  return *reinterpret_cast<const Vector*>(p);
}

// `rows` rows of one sweep, columns [first, end).
template <int rows>
void average(const double* from, double* to, long n, long first, long end) {
  long j = first;
  for (; j + lanes <= end; j += lanes) {
    Vector row[rows + 2];
#pragma GCC unroll 10
    for (int r = 0; r < rows + 2; ++r) row[r] = load(from + (r - 1) * n + j);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const Vector sides = load(from + r * n + j - 1) + load(from + r * n + j + 1);
      *reinterpret_cast<Vector*>(to + r * n + j) = 0.2 * (row[r + 1] + sides + (row[r + 2] + row[r]));
    }
  }
  for (int r = 0; r < rows; ++r) {
    const double* x = from + r * n;
    for (long c = j; c < end; ++c) to[r * n + c] = 0.2 * (x[c] + x[c - 1] + x[c + 1] + x[c + n] + x[c - n]);
  }
}

struct Grid {
  double* buffer[2];  // sweep s reads buffer[s % 2] and writes the other
  long n;
  void update(int s, int first, int end, long left, long right) const {
    const double* from = buffer[s % 2];
    double* to = buffer[(s + 1) % 2];
    int i = first;
    for (; i + group <= end; i += group) average<group>(from + i * n, to + i * n, n, left, right);
    for (; i < end; ++i) average<1>(from + i * n, to + i * n, n, left, right);
  }
};

// Sweeps first_sweep .. first_sweep + sweeps - 1; the s-th of them covers the rows [low + s * d_low, high + s
// * d_high).
void trapezoid(const Grid& grid, int first_sweep, int sweeps, int low, int high, int d_low, int d_high) {
  const int top = std::max(high, high + (sweeps - 1) * d_high) + sweeps;
  const int bottom = std::min(low, low + (sweeps - 1) * d_low);
  for (int front = bottom; front < top; front += group) {
    for (long column = 1; column < grid.n + sweeps; column += strip) {
      for (int s = 0; s < sweeps; ++s) {
        const int first = std::max(front - s, low + s * d_low);
        const int end = std::min(front - s + group, high + s * d_high);
        const long left = std::max(column - s, 1L);
        const long right = std::min(column - s + strip, grid.n - 1);
        if (first < end && left < right) grid.update(first_sweep + s, first, end, left, right);
      }
    }
  }
}

}  // namespace

extern "C" void jacobi_2d(int steps, int n, double* A, double* B) {
  const Grid grid{{A, B}, n};
  const int inner = n - 2;
  if (inner < 1 || steps < 1) return;
  const int bands = (long)inner * inner < 4096 ? 1 : std::min(thread_limit(), std::max(1, inner / 8));
  const long cached_rows = cache_bytes / (2 * (long)n * (long)sizeof(double)) - group - 2;
  const int narrowest = bands == 1 ? 2 * steps : inner / bands / 2;  // wedges from both sides must not meet
  const int depth = (int)std::clamp<long>(std::min<long>(cached_rows, narrowest), 1, 2 * steps);
  const auto border = [=](int b) { return 1 + (int)((long)inner * b / bands); };
#pragma omp parallel num_threads(bands)
  for (int s = 0; s < 2 * steps; s += depth) {
    const int sweeps = std::min(depth, 2 * steps - s);
#pragma omp for schedule(static)
    for (int b = 0; b < bands; ++b) {
      trapezoid(grid, s, sweeps, border(b), border(b + 1), b == 0 ? 0 : 1, b == bands - 1 ? 0 : -1);
    }
#pragma omp for schedule(static)
    for (int b = 1; b < bands; ++b) trapezoid(grid, s, sweeps, border(b), border(b), -1, 1);
  }
}
