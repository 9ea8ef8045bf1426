// Matrix product: C = A * B.
// A is rows x inner, B is inner x cols, C is rows x cols, all row-major.
extern "C" void matrix_multiplication(int rows, int cols, int inner, const float* A, const float* B,
                                      float* C) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      float sum = 0.0f;
      for (int k = 0; k < inner; ++k) {
        sum += A[i * inner + k] * B[k * cols + j];
      }
      C[i * cols + j] = sum;
    }
  }
}
