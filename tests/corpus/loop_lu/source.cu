// LU factors in place, no pivoting: the caller guarantees a diagonally dominant matrix.
__global__ void lu_column(int n, double* a, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  if (i < n) a[i * n + k] = a[i * n + k] / a[k * n + k];
}

__global__ void lu_update(int n, double* a, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
  int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

/* for (int k = 0; k < n - 1; k++) {
 *   int rest = n - k - 1;
 *   lu_column<<<(rest + 255) / 256, 256>>>(n, a, k);
 *   lu_update<<<dim3((rest + 31) / 32, (rest + 7) / 8), dim3(32, 8)>>>(n, a, k);
 * }
 */
