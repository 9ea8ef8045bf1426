// Column by column with the rows innermost: right, but every access to A and C jumps a whole row.
extern "C" void gemm(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B,
                     float* C) {
#pragma omp parallel for
  for (int j = 0; j < nj; ++j) {
    for (int i = 0; i < ni; ++i) C[i * nj + j] *= beta;
    for (int k = 0; k < nk; ++k) {
      for (int i = 0; i < ni; ++i) C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
  }
}
