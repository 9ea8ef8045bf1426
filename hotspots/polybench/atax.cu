// A matrix times a vector, then the transpose times the result: tmp = A x, y = A^T tmp.
// A is nx x ny, row-major; x and y have ny elements, tmp has nx.
__global__ void times_x(int nx, int ny, const float* A, const float* x, float* tmp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    tmp[i] = 0.0f;
    for (int j = 0; j < ny; ++j) {
      tmp[i] += A[i * ny + j] * x[j];
    }
  }
}

__global__ void transpose_times_tmp(int nx, int ny, const float* A, const float* tmp, float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    y[j] = 0.0f;
    for (int i = 0; i < nx; ++i) {
      y[j] += A[i * ny + j] * tmp[i];
    }
  }
}

extern "C" void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp,
                     mep_stream_t stream) {
  times_x<<<(nx + 255) / 256, 256, 0, stream>>>(nx, ny, A, x, tmp);
  transpose_times_tmp<<<(ny + 255) / 256, 256, 0, stream>>>(nx, ny, A, tmp, y);
}
