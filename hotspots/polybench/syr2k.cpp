// Symmetric rank-2k update: C = alpha * (A * B^T + B * A^T) + beta * C, both triangles of C.
// A and B are ni x nj, C is ni x ni, row-major. C need not be symmetric before.
extern "C" void syr2k(int ni, int nj, float alpha, float beta, const float* A, const float* B, float* C) {
#pragma omp parallel for
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < ni; ++j) {
      C[i * ni + j] *= beta;
      for (int k = 0; k < nj; ++k) {
        C[i * ni + j] += alpha * A[i * nj + k] * B[j * nj + k] + alpha * B[i * nj + k] * A[j * nj + k];
      }
    }
  }
}
