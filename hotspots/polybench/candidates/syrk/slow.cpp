// The sum over k is shared out among the threads as rank-1 updates: right, but all threads add into all of C,
// so that each addition has to be atomic.
extern "C" void syrk(int ni, int nj, float alpha, float beta, const float* A, float* C) {
#pragma omp parallel for
  for (int x = 0; x < ni * ni; ++x) C[x] *= beta;
#pragma omp parallel for
  for (int k = 0; k < nj; ++k) {
    for (int i = 0; i < ni; ++i) {
      for (int j = 0; j < ni; ++j) {
#pragma omp atomic
        C[i * ni + j] += alpha * A[i * nj + k] * A[j * nj + k];
      }
    }
  }
}
