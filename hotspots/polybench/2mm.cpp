// Two matrix products in a row: tmp = alpha * A * B, then D = tmp * C + beta * D.
// A is ni x nk, B is nk x nj, tmp is ni x nj, C is nj x nl, D is ni x nl, all row-major.
extern "C" void mm2(int ni, int nj, int nk, int nl, float alpha, float beta, const float* A, const float* B,
                    const float* C, float* D, float* tmp) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) {
      tmp[i * nj + j] = 0.0f;
      for (int k = 0; k < nk; ++k) {
        tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
      }
    }
  }
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nl; ++j) {
      D[i * nl + j] *= beta;
      for (int k = 0; k < nj; ++k) {
        D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j];
      }
    }
  }
}
