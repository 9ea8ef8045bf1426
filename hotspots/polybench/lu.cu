// A = L U in place, without pivoting: L with its diagonal below, U with a diagonal of ones above. n x n, row-major.
__global__ void scale_row(int n, int k, float* A) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  if (j < n) A[k * n + j] /= A[k * n + k];
}

__global__ void update_rest(int n, int k, float* A) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n) A[i * n + j] -= A[i * n + k] * A[k * n + j];
}

extern "C" void lu(int n, float* A, mep_stream_t stream) {
  for (int k = 0; k < n - 1; ++k) {
    int rest = n - k - 1;
    dim3 block(32, 8);
    dim3 grid((rest + 31) / 32, (rest + 7) / 8);
    scale_row<<<(rest + 255) / 256, 256, 0, stream>>>(n, k, A);
    update_rest<<<grid, block, 0, stream>>>(n, k, A);
  }
}
