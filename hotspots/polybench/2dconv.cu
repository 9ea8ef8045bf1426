// 3 x 3 filter of an ni x nj image with fixed weights; the border of B stays as it was.
__global__ void conv2d_kernel(int ni, int nj, const float* A, float* B) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1) {
    B[i * nj + j] = 0.12f * A[(i - 1) * nj + j - 1] + 0.17f * A[(i - 1) * nj + j] - 0.06f * A[(i - 1) * nj + j + 1] +
                    0.21f * A[i * nj + j - 1] + 0.33f * A[i * nj + j] + 0.09f * A[i * nj + j + 1] -
                    0.04f * A[(i + 1) * nj + j - 1] + 0.11f * A[(i + 1) * nj + j] + 0.07f * A[(i + 1) * nj + j + 1];
  }
}

extern "C" void conv2d(int ni, int nj, const float* A, float* B, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((nj + 31) / 32, (ni + 7) / 8);
  conv2d_kernel<<<grid, block, 0, stream>>>(ni, nj, A, B);
}
