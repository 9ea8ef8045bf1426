// General matrix product: C = alpha * A * B + beta * C.
// A is m x k, B is k x n, C is m x n, all row-major.
__global__ void gemm_kernel(int m, int n, int k, float alpha, float beta, const float* A, const float* B,
                            float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += A[i * k + p] * B[p * n + j];
    }
    C[i * n + j] = alpha * sum + beta * C[i * n + j];
  }
}

extern "C" void gemm(int m, int n, int k, float alpha, float beta, const float* A, const float* B, float* C,
                     mep_stream_t stream) {
  dim3 block(16, 16);
  dim3 grid((n + 15) / 16, (m + 15) / 16);
  gemm_kernel<<<grid, block, 0, stream>>>(m, n, k, alpha, beta, A, B, C);
}
