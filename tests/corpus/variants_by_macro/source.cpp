// Row sums of squares, two versions of one function. The build chooses: -DSTRATEGY=1 or 2, -DITEM=float or
// double.
#if STRATEGY == 1
void row_energy(int rows, int cols, const ITEM* m, ITEM* out) {
#pragma omp parallel for
  for (int r = 0; r < rows; ++r) {
    ITEM sum = 0;
    for (int c = 0; c < cols; ++c) sum += m[r * cols + c] * m[r * cols + c];
    out[r] = sum;
  }
}
#elif STRATEGY == 2
#define BLOCK_ROWS 4
void row_energy(int rows, int cols, const ITEM* m, ITEM* out) {
#pragma omp parallel for
  for (int first = 0; first < rows; first += BLOCK_ROWS) {
    ITEM sum[BLOCK_ROWS] = {};
    const int count = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
    for (int c = 0; c < cols; ++c)
      for (int r = 0; r < count; ++r) sum[r] += m[(first + r) * cols + c] * m[(first + r) * cols + c];
    for (int r = 0; r < count; ++r) out[first + r] = sum[r];
  }
}
#else
#error "STRATEGY is 1 or 2"
#endif
