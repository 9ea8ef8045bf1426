// Seven-point diffusion with two buffers that change places after each step.
#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))

__global__ void diffuse(int nx, int ny, int nz, float c, const float* __restrict__ from,
                        float* __restrict__ to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) return;
  const float here = from[IDX(i, j, k)];
  const bool edge = i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1;
  to[IDX(i, j, k)] = edge ? here
                          : here + c * (from[IDX(i - 1, j, k)] + from[IDX(i + 1, j, k)] +
                                        from[IDX(i, j - 1, k)] + from[IDX(i, j + 1, k)] +
                                        from[IDX(i, j, k - 1)] + from[IDX(i, j, k + 1)] - 6.0f * here);
}

// The driver, with device pointers:
//   const float c = 0.1f;
//   dim3 block(64, 2, 2), grid((nx + 63) / 64, (ny + 1) / 2, (nz + 1) / 2);
//   for (int step = 0; step < steps; ++step) {
//     diffuse<<<grid, block>>>(nx, ny, nz, c, a, b);
//     std::swap(a, b);
//   }
//   cudaMemcpy(host, a, nx * ny * nz * sizeof(float), cudaMemcpyDeviceToHost);
