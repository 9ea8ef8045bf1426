// Sparse matrix times vector, y = A x, with A in compressed sparse rows:
// row i holds col[e], val[e] for row_ptr[i] <= e < row_ptr[i + 1]. Rows differ in length. A thread per row.
__global__ void spmv_kernel(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                            double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    y[i] = 0.0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      y[i] += val[e] * x[col[e]];
    }
  }
}

extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y, mep_stream_t stream) {
  spmv_kernel<<<(rows + 255) / 256, 256, 0, stream>>>(rows, row_ptr, col, val, x, y);
}
