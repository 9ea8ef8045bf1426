// Three matrix products: E = A * B, F = C * D, then G = E * F.
// A is ni x nk, B is nk x nj, C is nj x nm, D is nm x nl; E is ni x nj, F is nj x nl, G is ni x nl, all
// row-major.
extern "C" void mm3(int ni, int nj, int nk, int nl, int nm, const float* A, const float* B, const float* C,
                    const float* D, float* E, float* F, float* G) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) {
      E[i * nj + j] = 0.0f;
      for (int k = 0; k < nk; ++k) {
        E[i * nj + j] += A[i * nk + k] * B[k * nj + j];
      }
    }
  }
#pragma omp parallel for
  for (int i = 0; i < nj; ++i) {
    for (int j = 0; j < nl; ++j) {
      F[i * nl + j] = 0.0f;
      for (int k = 0; k < nm; ++k) {
        F[i * nl + j] += C[i * nm + k] * D[k * nl + j];
      }
    }
  }
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nl; ++j) {
      G[i * nl + j] = 0.0f;
      for (int k = 0; k < nj; ++k) {
        G[i * nl + j] += E[i * nj + k] * F[k * nl + j];
      }
    }
  }
}
