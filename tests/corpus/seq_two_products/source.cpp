// D = beta * D + (alpha * A * B) * C, two sweeps that share tmp. DATA_TYPE is set by the build.
#ifndef DATA_TYPE
#define DATA_TYPE float
#endif

void product_first(int ni, int nj, int nk, int nl, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE* tmp,
                   DATA_TYPE* A, DATA_TYPE* B) {
#pragma omp parallel for
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      tmp[i * nj + j] = 0;
      for (int k = 0; k < nk; ++k) tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
}

void product_second(int ni, int nj, int nk, int nl, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE* tmp,
                    DATA_TYPE* C, DATA_TYPE* D) {
#pragma omp parallel for
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nl; j++) {
      D[i * nl + j] *= beta;
      for (int k = 0; k < nj; ++k) D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j];
    }
}

// called as:
//   product_first(ni, nj, nk, nl, alpha, beta, tmp, A, B);
//   product_second(ni, nj, nk, nl, alpha, beta, tmp, C, D);
