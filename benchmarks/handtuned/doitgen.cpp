// doitgen by hand: a product of all lines of A with C, packed and register-tiled as in gemm.cpp. A block of
// lines is packed before it is overwritten, so the work is done in place and blocks are independent.
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
constexpr int row_block = 4 * tile_rows;  // lines packed, multiplied and written back together by one thread

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

void pack_a(const double* A, int lda, int rows, int depth, double* panel) {
  for (int p = 0; p < depth; ++p) {
    for (int i = 0; i < tile_rows; ++i) panel[p * tile_rows + i] = i < rows ? A[(long)i * lda + p] : 0.0;
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

// C tile = A panel * B panel; rows and cols cut off what lies outside C.
void tile(const double* a, const double* b, int depth, double* C, int ldc, int rows, int cols) {
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
      c[0] = sum[i][0];
      c[1] = sum[i][1];
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
    for (int j = 0; j < cols; ++j) C[(long)i * ldc + j] = spill[i * tile_cols + j];
  }
}

}  // namespace

extern "C" void doitgen(int nr, int nq, int np, double* A, const double* C, double* /*sum*/) {
  const int lines = nr * nq;
  const int col_panels = ceil_div(np, tile_cols);
  const Buffer b = allocate((long)col_panels * tile_cols * np);
#pragma omp parallel if ((long)lines * np * np > 30000)
  {
    const Buffer a = allocate((long)row_block * np);
#pragma omp for schedule(static)
    for (int j = 0; j < col_panels; ++j) {
      pack_b(C + j * tile_cols, np, std::min(tile_cols, np - j * tile_cols), np,
             &b[(long)j * tile_cols * np]);
    }
#pragma omp for schedule(dynamic)
    for (int i0 = 0; i0 < lines; i0 += row_block) {
      double* block = A + (long)i0 * np;
      const int rows = std::min(row_block, lines - i0);
      for (int i = 0; i < rows; i += tile_rows) {
        pack_a(block + (long)i * np, np, std::min(tile_rows, rows - i), np, &a[(long)i * np]);
      }
      for (int j = 0; j < np; j += tile_cols) {
        for (int i = 0; i < rows; i += tile_rows) {
          tile(&a[(long)i * np], &b[(long)j * np], np, block + (long)i * np + j, np,
               std::min(tile_rows, rows - i), std::min(tile_cols, np - j));
        }
      }
    }
  }
}
