// Yee scheme in two dimensions, TE mode, driven by a line source on the left edge.
#define GRID_OF(nx, ny) dim3((ny + 31) / 32, (nx + 7) / 8), dim3(32, 8)

__global__ void sweep_ey(int nx, int ny, float* ey, const float* hz, const float* source, int t) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  ey[i * ny + j] = i == 0 ? source[t] : ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

__global__ void sweep_ex(int nx, int ny, float* ex, const float* hz) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j > 0 && j < ny) ex[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
}

__global__ void sweep_hz(int nx, int ny, const float* ex, const float* ey, float* hz) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny - 1)
    hz[i * ny + j] -= 0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

void fdtd(int tmax, int nx, int ny, const float* source, float* ex, float* ey, float* hz) {
  for (int t = 0; t < tmax; ++t) {
    sweep_ey<<<GRID_OF(nx, ny)>>>(nx, ny, ey, hz, source, t);
    sweep_ex<<<GRID_OF(nx, ny)>>>(nx, ny, ex, hz);
    sweep_hz<<<GRID_OF(nx, ny)>>>(nx, ny, ex, ey, hz);
  }
}
