// Modified Gram-Schmidt: A = Q R with orthonormal columns of Q and R upper triangular.
// A and Q are ni x nj with ni >= nj, R is nj x nj, all row-major. A is used up; R stays as it was below its diagonal.
__global__ void column_norm(int ni, int nj, int k, const float* A, float* R) {
  float sum = 0.0f;
  for (int i = 0; i < ni; ++i) {
    sum += A[i * nj + k] * A[i * nj + k];
  }
  R[k * nj + k] = sqrtf(sum);
}

__global__ void normalise(int ni, int nj, int k, const float* A, const float* R, float* Q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ni) Q[i * nj + k] = A[i * nj + k] / R[k * nj + k];
}

__global__ void project_out(int ni, int nj, int k, float* A, float* R, const float* Q) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < nj) {
    R[k * nj + j] = 0.0f;
    for (int i = 0; i < ni; ++i) {
      R[k * nj + j] += Q[i * nj + k] * A[i * nj + j];
    }
    for (int i = 0; i < ni; ++i) {
      A[i * nj + j] -= Q[i * nj + k] * R[k * nj + j];
    }
  }
}

extern "C" void gramschmidt(int ni, int nj, float* A, float* R, float* Q, mep_stream_t stream) {
  for (int k = 0; k < nj; ++k) {
    column_norm<<<1, 1, 0, stream>>>(ni, nj, k, A, R);
    normalise<<<(ni + 255) / 256, 256, 0, stream>>>(ni, nj, k, A, R, Q);
    project_out<<<(nj + 255) / 256, 256, 0, stream>>>(ni, nj, k, A, R, Q);
  }
}
