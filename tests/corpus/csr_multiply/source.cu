// y = A x + beta y on a CSR matrix, a warp for each row; row_ptr has nrows + 1 entries, indices are below
// ncols.
template <typename T>
__global__ void csr_multiply(int nrows, int ncols, const int* row_ptr, const int* col_idx, const T* values,
                             const T* x, T beta, T* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= nrows) return;
  T sum = 0;
  for (int e = row_ptr[row] + lane; e < row_ptr[row + 1]; e += 32) sum += values[e] * x[col_idx[e]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum + beta * y[row];
}

// csr_multiply<double><<<(nrows + 7) / 8, 256>>>(nrows, ncols, row_ptr, col_idx, values, x, beta, y);
