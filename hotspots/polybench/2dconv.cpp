// 3 x 3 filter of an ni x nj image with fixed weights; the border of B stays as it was.
extern "C" void conv2d(int ni, int nj, const float* A, float* B) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) {
      if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1) {
        B[i * nj + j] = 0.12f * A[(i - 1) * nj + j - 1] + 0.17f * A[(i - 1) * nj + j] -
                        0.06f * A[(i - 1) * nj + j + 1] + 0.21f * A[i * nj + j - 1] + 0.33f * A[i * nj + j] +
                        0.09f * A[i * nj + j + 1] - 0.04f * A[(i + 1) * nj + j - 1] +
                        0.11f * A[(i + 1) * nj + j] + 0.07f * A[(i + 1) * nj + j + 1];
      }
    }
  }
}
