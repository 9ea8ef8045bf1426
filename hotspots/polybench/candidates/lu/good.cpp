// By blocks of 32 columns: the corner of a block, the rows of U beside it, then every row below takes off all
// 32 at once, so that the rest goes through the caches once a block. Six rows by sixteen columns stay in
// registers.
#include <algorithm>

typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));

static const int width = 32;

static float* row_of(float* A, int n, int i) {
  return A + static_cast<long>(i) * n;
}

static void factor_corner(int n, int first, int end, float* A) {
  for (int k = first; k < end; ++k) {
    const float* row = row_of(A, n, k);
    for (int j = k + 1; j < end; ++j) row_of(A, n, k)[j] /= row[k];
    for (int i = k + 1; i < end; ++i) {
      float* other = row_of(A, n, i);
      for (int j = k + 1; j < end; ++j) other[j] -= other[k] * row[j];
    }
  }
}

// Columns [left, right) of the block's rows.
static void solve_right(int n, int first, int end, int left, int right, float* A) {
  for (int k = first; k < end; ++k) {
    float* row = row_of(A, n, k);
    for (int p = first; p < k; ++p) {
      const float* other = row_of(A, n, p);
      for (int j = left; j < right; ++j) row[j] -= row[p] * other[j];
    }
    for (int j = left; j < right; ++j) row[j] /= row[k];
  }
}

// The block's columns of row i.
static void solve_below(int n, int first, int end, int i, float* A) {
  float* row = row_of(A, n, i);
  for (int k = first; k < end; ++k) {
    const float* other = row_of(A, n, k);
    for (int j = k + 1; j < end; ++j) row[j] -= row[k] * other[j];
  }
}

// Rows [i, i + Rows) right of the block.
template <int Rows>
static void update_rows(int n, int first, int end, int i, float* A) {
  float* rows[Rows];
  for (int r = 0; r < Rows; ++r) rows[r] = row_of(A, n, i + r);
  int j = end;
  for (; j + 16 <= n; j += 16) {
    Lanes sums[Rows][2] = {};
    for (int k = first; k < end; ++k) {
      const float* u = row_of(A, n, k) + j;
      const Lanes u0 = *reinterpret_cast<const Lanes*>(u), u1 = *reinterpret_cast<const Lanes*>(u + 8);
      for (int r = 0; r < Rows; ++r) {
        sums[r][0] += rows[r][k] * u0;
        sums[r][1] += rows[r][k] * u1;
      }
    }
    for (int r = 0; r < Rows; ++r) {
      *reinterpret_cast<Lanes*>(rows[r] + j) -= sums[r][0];
      *reinterpret_cast<Lanes*>(rows[r] + j + 8) -= sums[r][1];
    }
  }
  for (; j < n; ++j) {
    for (int r = 0; r < Rows; ++r) {
      float sum = 0.0f;
      for (int k = first; k < end; ++k) sum += rows[r][k] * row_of(A, n, k)[j];
      rows[r][j] -= sum;
    }
  }
}

extern "C" void lu(int n, float* A) {
  for (int first = 0; first < n; first += width) {
    const int end = std::min(first + width, n);
    factor_corner(n, first, end, A);
#pragma omp parallel
    {
#pragma omp for
      for (int left = end; left < n; left += 128)
        solve_right(n, first, end, left, std::min(left + 128, n), A);
#pragma omp for
      for (int i = end; i < n; i += 6) {
        const int last = std::min(i + 6, n);
        for (int r = i; r < last; ++r) solve_below(n, first, end, r, A);
        if (last == i + 6) {
          update_rows<6>(n, first, end, i, A);
        } else {
          for (int r = i; r < last; ++r) update_rows<1>(n, first, end, r, A);
        }
      }
    }
  }
}
