// Transpose: out[j][i] = in[i][j]. in is rows x cols, out is cols x rows, both row-major.
extern "C" void matrix_transpose(int rows, int cols, const float* in, float* out) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      out[j * rows + i] = in[i * cols + j];
    }
  }
}
