// gemm by hand: A and B packed into panels, 12 x 16 register tiles, a grid of tile blocks shared among
// threads. Every version in this folder is one self-contained file, so that it can be handed to `noctune try`
// as it is.
#include <algorithm>
#include <cstdlib>
#include <memory>

namespace {

using Vector = double __attribute__((vector_size(64), aligned(8), may_alias));

#ifdef __AVX512F__
constexpr int tile_rows = 12;  // 24 accumulators of 32 registers
#else
constexpr int tile_rows = 3;  // a 64-byte vector takes two or four registers here
#endif
constexpr int lanes = 8;
constexpr int tile_cols = 2 * lanes;
constexpr int depth_block = 256;          // a B panel of 32 KiB stays in the first-level cache
constexpr int row_block = 8 * tile_rows;  // the unit of work: row_block x col_block of C
constexpr int col_block = 8 * tile_cols;

struct Free {
  void operator()(double* p) const { std::free(p); }
};
using Buffer = std::unique_ptr<double[], Free>;

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

Buffer allocate(long elements) {
  return Buffer(static_cast<double*>(std::aligned_alloc(64, (elements * 8 + 63) / 64 * 64)));
}

void pack_a(const double* A, int lda, int rows, int depth, double alpha, double* panel) {
  for (int p = 0; p < depth; ++p) {
    for (int i = 0; i < tile_rows; ++i)
      panel[p * tile_rows + i] = i < rows ? alpha * A[(long)i * lda + p] : 0.0;
  }
}

void pack_b(const double* B, int ldb, int cols, int depth, double* panel) {
  for (int p = 0; p < depth; ++p) {
    const double* row = B + (long)p * ldb;
    if (cols == tile_cols) {
      std::copy(row, row + tile_cols, panel + p * tile_cols);
    } else {
      for (int j = 0; j < tile_cols; ++j) panel[p * tile_cols + j] = j < cols ? row[j] : 0.0;
    }
  }
}

// C tile = beta * C tile + A panel * B panel; rows and cols cut off what lies outside C.
void tile(const double* a, const double* b, int depth, double beta, double* C, int ldc, int rows, int cols) {
  Vector sum[tile_rows][2] = {};
  for (int p = 0; p < depth; ++p) {
    const Vector b0 = *reinterpret_cast<const Vector*>(b + p * tile_cols);
    const Vector b1 = *reinterpret_cast<const Vector*>(b + p * tile_cols + lanes);
#pragma GCC unroll 12
    for (int i = 0; i < tile_rows; ++i) {
      sum[i][0] += a[p * tile_rows + i] * b0;
      sum[i][1] += a[p * tile_rows + i] * b1;
    }
  }
  if (rows == tile_rows && cols == tile_cols) {
#pragma GCC unroll 12
    for (int i = 0; i < tile_rows; ++i) {
      Vector* c = reinterpret_cast<Vector*>(C + (long)i * ldc);
      c[0] = beta * c[0] + sum[i][0];
      c[1] = beta * c[1] + sum[i][1];
    }
    return;
  }
  double spill[tile_rows * tile_cols];
#pragma GCC unroll 12
  for (int i = 0; i < tile_rows; ++i) {
    *reinterpret_cast<Vector*>(spill + i * tile_cols) = sum[i][0];
    *reinterpret_cast<Vector*>(spill + i * tile_cols + lanes) = sum[i][1];
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j)
      C[(long)i * ldc + j] = beta * C[(long)i * ldc + j] + spill[i * tile_cols + j];
  }
}

}  // namespace

extern "C" void gemm(int m, int n, int k, double alpha, double beta, const double* A, const double* B,
                     double* C) {
  const int row_panels = ceil_div(m, tile_rows);
  const int col_panels = ceil_div(n, tile_cols);
  const Buffer a = allocate((long)row_panels * tile_rows * depth_block);
  const Buffer b = allocate((long)col_panels * tile_cols * depth_block);
#pragma omp parallel if ((long)m * n * k > 30000)
  for (int p0 = 0; p0 == 0 || p0 < k; p0 += depth_block) {
    const int depth = std::min(depth_block, k - p0);
    const double keep = p0 == 0 ? beta : 1.0;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < row_panels; ++i) {
      const int rows = std::min(tile_rows, m - i * tile_rows);
      pack_a(A + (long)i * tile_rows * k + p0, k, rows, depth, alpha, &a[(long)i * tile_rows * depth]);
    }
#pragma omp for schedule(static)
    for (int j = 0; j < col_panels; ++j) {
      const int cols = std::min(tile_cols, n - j * tile_cols);
      pack_b(B + (long)p0 * n + j * tile_cols, n, cols, depth, &b[(long)j * tile_cols * depth]);
    }
#pragma omp for collapse(2) schedule(dynamic)
    for (int i0 = 0; i0 < m; i0 += row_block) {
      for (int j0 = 0; j0 < n; j0 += col_block) {
        for (int j = j0; j < std::min(n, j0 + col_block); j += tile_cols) {
          for (int i = i0; i < std::min(m, i0 + row_block); i += tile_rows) {
            tile(&a[(long)i * depth], &b[(long)j * depth], depth, keep, C + (long)i * n + j, n,
                 std::min(tile_rows, m - i), std::min(tile_cols, n - j));
          }
        }
      }
    }
  }
}
