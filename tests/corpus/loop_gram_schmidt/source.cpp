// Modified Gram-Schmidt: A (ni x nj) becomes Q times R, column by column.
#define SQRT_FUN(x) sqrt(x)

void gs_norm(int ni, int nj, double* A, double* R, double* Q, int k) {
  double nrm = 0.0;
  for (int i = 0; i < ni; i++) nrm += A[i * nj + k] * A[i * nj + k];
  R[k * nj + k] = SQRT_FUN(nrm);
}

void gs_scale(int ni, int nj, double* A, double* R, double* Q, int k) {
#pragma omp parallel for
  for (int i = 0; i < ni; i++) Q[i * nj + k] = A[i * nj + k] / R[k * nj + k];
}

void gs_project(int ni, int nj, double* A, double* R, double* Q, int k) {
#pragma omp parallel for
  for (int j = k + 1; j < nj; j++) {
    R[k * nj + j] = 0.0;
    for (int i = 0; i < ni; i++) R[k * nj + j] += Q[i * nj + k] * A[i * nj + j];
    for (int i = 0; i < ni; i++) A[i * nj + j] -= Q[i * nj + k] * R[k * nj + j];
  }
}
