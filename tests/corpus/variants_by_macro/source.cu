// Row sums of squares, two versions of one kernel. The build chooses: -DSTRATEGY=1 or 2, -DITEM=float or
// double.
#if STRATEGY == 1
// row_energy<<<(rows + 255) / 256, 256>>>(rows, cols, m, out);
__global__ void row_energy(int rows, int cols, const ITEM* m, ITEM* out) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  ITEM sum = 0;
  for (int c = 0; c < cols; ++c) sum += m[r * cols + c] * m[r * cols + c];
  out[r] = sum;
}
#elif STRATEGY == 2
// row_energy<<<rows, LANES>>>(rows, cols, m, out);
#define LANES 64
__global__ void row_energy(int rows, int cols, const ITEM* m, ITEM* out) {
  __shared__ ITEM part[LANES];
  ITEM sum = 0;
  for (int c = threadIdx.x; c < cols; c += LANES) sum += m[blockIdx.x * cols + c] * m[blockIdx.x * cols + c];
  part[threadIdx.x] = sum;
  for (int half = LANES / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
#else
#error "STRATEGY is 1 or 2"
#endif
