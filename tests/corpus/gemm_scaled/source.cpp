#include <omp.h>

// C := alpha * A * B + beta * C, row-major, the fallback for builds without a BLAS
void gemm_update(int ni, int nj, int nk, float alpha, float beta, const float *a, const float *b, float *c)
{
  int i, j, k;
  #pragma omp parallel for private(i, j, k) schedule(static)
  for (i = 0; i < ni; i++) {
    for (j = 0; j < nj; j++) {
      c[i * nj + j] *= beta;
      for (k = 0; k < nk; ++k)
        c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
    }
  }
}
