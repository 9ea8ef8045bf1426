// Row by row as a sum of rows of B, so that the inner loop runs along rows and into vector registers. Four
// rows of C share each row of B that is read.
extern "C" void gemm(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B,
                     float* C) {
#pragma omp parallel for
  for (int i = 0; i < ni; i += 4) {
    const int rows = ni - i < 4 ? ni - i : 4;
    for (int x = i * nj; x < (i + rows) * nj; ++x) C[x] *= beta;
    if (rows == 4) {
      float* __restrict__ c0 = C + i * nj;
      float* __restrict__ c1 = c0 + nj;
      float* __restrict__ c2 = c1 + nj;
      float* __restrict__ c3 = c2 + nj;
      for (int k = 0; k < nk; ++k) {
        const float a0 = alpha * A[i * nk + k], a1 = alpha * A[(i + 1) * nk + k];
        const float a2 = alpha * A[(i + 2) * nk + k], a3 = alpha * A[(i + 3) * nk + k];
        const float* b = B + k * nj;
        for (int j = 0; j < nj; ++j) {
          c0[j] += a0 * b[j];
          c1[j] += a1 * b[j];
          c2[j] += a2 * b[j];
          c3[j] += a3 * b[j];
        }
      }
    } else {
      for (int r = i; r < i + rows; ++r) {
        for (int k = 0; k < nk; ++k) {
          for (int j = 0; j < nj; ++j) C[r * nj + j] += alpha * A[r * nk + k] * B[k * nj + j];
        }
      }
    }
  }
}
