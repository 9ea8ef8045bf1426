// A matrix times a vector, then the transpose times the result: t = A x, y = A^T t.
// A is m x n, row-major; x and y have n elements, t has m.
__global__ void times_x(int m, int n, const double* A, const double* x, double* t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) {
      sum += A[i * n + j] * x[j];
    }
    t[i] = sum;
  }
}

__global__ void transpose_times_t(int m, int n, const double* A, const double* t, double* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    double sum = 0.0;
    for (int i = 0; i < m; ++i) {
      sum += A[i * n + j] * t[i];
    }
    y[j] = sum;
  }
}

extern "C" void atax(int m, int n, const double* A, const double* x, double* y, double* t,
                     mep_stream_t stream) {
  times_x<<<(m + 255) / 256, 256, 0, stream>>>(m, n, A, x, t);
  transpose_times_t<<<(n + 255) / 256, 256, 0, stream>>>(m, n, A, t, y);
}
