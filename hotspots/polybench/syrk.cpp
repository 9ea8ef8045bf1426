// Symmetric rank-k update: C = alpha * A * A^T + beta * C, both triangles of C.
// A is ni x nj, C is ni x ni, row-major. C need not be symmetric before.
extern "C" void syrk(int ni, int nj, float alpha, float beta, const float* A, float* C) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < ni; ++j) {
      C[i * ni + j] *= beta;
      for (int k = 0; k < nj; ++k) {
        C[i * ni + j] += alpha * A[i * nj + k] * A[j * nj + k];
      }
    }
  }
}
