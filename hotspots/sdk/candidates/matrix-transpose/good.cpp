// Tiles of 32 x 32 that stay in the first cache: each line of `out` is written whole while it is there.
extern "C" void matrix_transpose(int rows, int cols, const float* in, float* out) {
  constexpr int tile = 32;
#pragma omp parallel for
  for (int top = 0; top < rows; top += tile) {
    const int bottom = top + tile < rows ? top + tile : rows;
    for (int left = 0; left < cols; left += tile) {
      const int right = left + tile < cols ? left + tile : cols;
      for (int j = left; j < right; ++j) {
        for (int i = top; i < bottom; ++i) out[j * rows + i] = in[i * cols + j];
      }
    }
  }
}
