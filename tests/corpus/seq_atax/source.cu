// y = A^T (A x), row sweep then column sweep.
__global__ void rows(int nx, int ny, const float* A, const float* x, float* tmp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx) return;
  float sum = 0.0f;
  for (int j = 0; j < ny; j++) sum += A[i * ny + j] * x[j];
  tmp[i] = sum;
}

__global__ void columns(int nx, int ny, const float* A, const float* tmp, float* y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= ny) return;
  float sum = 0.0f;
  for (int i = 0; i < nx; i++) sum += A[i * ny + j] * tmp[i];
  y[j] = sum;
}

void atax(int nx, int ny, const float* A, const float* x, float* y, float* tmp) {
  rows<<<(nx + 255) / 256, 256>>>(nx, ny, A, x, tmp);
  columns<<<(ny + 255) / 256, 256>>>(nx, ny, A, tmp, y);
}
