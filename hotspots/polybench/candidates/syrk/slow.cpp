// Rank-1 updates, one for each column of A: right, but all of C passes through the cache nj times and A is
// read across its rows.
extern "C" void syrk(int ni, int nj, float alpha, float beta, const float* A, float* C) {
#pragma omp parallel for
  for (int x = 0; x < ni * ni; ++x) C[x] *= beta;
  for (int k = 0; k < nj; ++k) {
#pragma omp parallel for
    for (int j = 0; j < ni; ++j) {
      for (int i = 0; i < ni; ++i) C[i * ni + j] += alpha * A[i * nj + k] * A[j * nj + k];
    }
  }
}
