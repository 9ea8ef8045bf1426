// Symmetric rank-2k update: C = alpha * (A * B^T + B * A^T) + beta * C, both triangles of C.
// A and B are ni x nj, C is ni x ni, row-major. C need not be symmetric before.
__global__ void syr2k_kernel(int ni, int nj, float alpha, float beta, const float* A, const float* B,
                             float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < ni) {
    C[i * ni + j] *= beta;
    for (int k = 0; k < nj; ++k) {
      C[i * ni + j] += alpha * A[i * nj + k] * B[j * nj + k] + alpha * B[i * nj + k] * A[j * nj + k];
    }
  }
}

extern "C" void syr2k(int ni, int nj, float alpha, float beta, const float* A, const float* B, float* C,
                      mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((ni + 31) / 32, (ni + 7) / 8);
  syr2k_kernel<<<grid, block, 0, stream>>>(ni, nj, alpha, beta, A, B, C);
}
