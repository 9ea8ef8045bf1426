// General matrix product: C = alpha * A * B + beta * C.
// A is ni x nk, B is nk x nj, C is ni x nj, all row-major.
__global__ void gemm_kernel(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B,
                            float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    C[i * nj + j] *= beta;
    for (int k = 0; k < nk; ++k) {
      C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
    }
  }
}

extern "C" void gemm(int ni, int nj, int nk, float alpha, float beta, const float* A, const float* B, float* C,
                     mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((nj + 31) / 32, (ni + 7) / 8);
  gemm_kernel<<<grid, block, 0, stream>>>(ni, nj, nk, alpha, beta, A, B, C);
}
