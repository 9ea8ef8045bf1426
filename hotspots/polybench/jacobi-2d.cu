// Jacobi sweeps of the five-point mean on an n x n grid, `steps` in all. The border of A stays as given; B holds what a
// sweep makes until it is copied back.
__global__ void sweep(int n, const float* A, float* B) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1) {
    B[i * n + j] = 0.2f * (A[i * n + j] + A[i * n + j - 1] + A[i * n + j + 1] + A[(i + 1) * n + j] + A[(i - 1) * n + j]);
  }
}

__global__ void copy_back(int n, float* A, const float* B) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1) A[i * n + j] = B[i * n + j];
}

extern "C" void jacobi_2d(int steps, int n, float* A, float* B, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((n + 31) / 32, (n + 7) / 8);
  for (int t = 0; t < steps; ++t) {
    sweep<<<grid, block, 0, stream>>>(n, A, B);
    copy_back<<<grid, block, 0, stream>>>(n, A, B);
  }
}
