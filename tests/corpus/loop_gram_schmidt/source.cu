// Modified Gram-Schmidt: A (ni x nj) becomes Q times R, column by column.
#define SQRT_FUN(x) sqrt(x)

__global__ void gs_norm(int ni, int nj, double* A, double* R, double* Q, int k) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid == 0) {
    double nrm = 0.0;
    for (int i = 0; i < ni; i++) nrm += A[i * nj + k] * A[i * nj + k];
    R[k * nj + k] = SQRT_FUN(nrm);
  }
}

__global__ void gs_scale(int ni, int nj, double* A, double* R, double* Q, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ni) Q[i * nj + k] = A[i * nj + k] / R[k * nj + k];
}

__global__ void gs_project(int ni, int nj, double* A, double* R, double* Q, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((j > k) && (j < nj)) {
    R[k * nj + j] = 0.0;
    for (int i = 0; i < ni; i++) R[k * nj + j] += Q[i * nj + k] * A[i * nj + j];
    for (int i = 0; i < ni; i++) A[i * nj + j] -= Q[i * nj + k] * R[k * nj + j];
  }
}

void gramschmidt(int ni, int nj, double* A, double* R, double* Q) {
  dim3 block(256, 1);
  for (int k = 0; k < nj; k++) {
    gs_norm<<<1, block>>>(ni, nj, A, R, Q, k);
    gs_scale<<<(ni + 255) / 256, block>>>(ni, nj, A, R, Q, k);
    gs_project<<<(nj + 255) / 256, block>>>(ni, nj, A, R, Q, k);
  }
}
