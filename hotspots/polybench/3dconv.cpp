// Filter of an ni x nj x nk volume with fixed weights at a point, its six faces and its eight corners; the
// border of B stays as it was. Row-major, k runs fastest.
extern "C" void conv3d(int ni, int nj, int nk, const float* A, float* B) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) {
      for (int k = 0; k < nk; ++k) {
        if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1 && k > 0 && k < nk - 1) {
          B[(i * nj + j) * nk + k] =
              0.02f * A[((i - 1) * nj + j - 1) * nk + k - 1] +
              0.04f * A[((i - 1) * nj + j - 1) * nk + k + 1] + 0.07f * A[((i - 1) * nj + j) * nk + k] +
              0.01f * A[((i - 1) * nj + j + 1) * nk + k - 1] +
              0.05f * A[((i - 1) * nj + j + 1) * nk + k + 1] + 0.05f * A[(i * nj + j - 1) * nk + k] +
              0.06f * A[(i * nj + j) * nk + k - 1] + 0.30f * A[(i * nj + j) * nk + k] +
              0.08f * A[(i * nj + j) * nk + k + 1] + 0.11f * A[(i * nj + j + 1) * nk + k] +
              0.03f * A[((i + 1) * nj + j - 1) * nk + k - 1] -
              0.02f * A[((i + 1) * nj + j - 1) * nk + k + 1] + 0.09f * A[((i + 1) * nj + j) * nk + k] +
              0.06f * A[((i + 1) * nj + j + 1) * nk + k - 1] + 0.05f * A[((i + 1) * nj + j + 1) * nk + k + 1];
        }
      }
    }
  }
}
