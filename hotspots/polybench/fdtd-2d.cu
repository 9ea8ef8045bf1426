// Finite differences in time for a transverse electromagnetic wave on a staggered nx x ny grid, row-major:
//   ex -= d(hz)/dj / 2,   ey -= d(hz)/di / 2,   hz -= 0.7 (d(ex)/dj + d(ey)/di),
// driven by ey = source[t] along the edge i = 0. Where a difference has no second point, the field stays.
__global__ void advance_ey(int nx, int ny, int t, float* ey, const float* hz, const float* source) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    if (i == 0) {
      ey[j] = source[t];
    } else {
      ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
  }
}

__global__ void advance_ex(int nx, int ny, float* ex, const float* hz) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j > 0 && j < ny) {
    ex[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
  }
}

__global__ void advance_hz(int nx, int ny, const float* ex, const float* ey, float* hz) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny - 1) {
    hz[i * ny + j] -= 0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
  }
}

extern "C" void fdtd_2d(int steps, int nx, int ny, float* ex, float* ey, float* hz, const float* source,
                        mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((ny + 31) / 32, (nx + 7) / 8);
  for (int t = 0; t < steps; ++t) {
    advance_ey<<<grid, block, 0, stream>>>(nx, ny, t, ey, hz, source);
    advance_ex<<<grid, block, 0, stream>>>(nx, ny, ex, hz);
    advance_hz<<<grid, block, 0, stream>>>(nx, ny, ex, ey, hz);
  }
}
