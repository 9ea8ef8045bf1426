// General matrix product: C = alpha * A * B + beta * C.
// A is ni x nk, B is nk x nj, C is ni x nj, all row-major.
extern "C" void gemm(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B,
                     float* C) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) {
      C[i * nj + j] *= beta;
      for (int k = 0; k < nk; ++k) {
        C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
      }
    }
  }
}
