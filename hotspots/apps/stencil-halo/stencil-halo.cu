// One explicit step of the heat equation on a block of nx x ny x nz points, x the fastest, inside two layers
// of halo: to = from + (cx x2 + cy y2 + cz z2) / 12, where x2, y2, z2 are the fourth-order second differences
// (-1, 16, -30, 16, -1) along the axes. The halo of `to` stays as it is.
__global__ void stencil_halo_kernel(int nx, int ny, int nz, double cx, double cy, double cz,
                                    const double* from, double* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z;
  if (i < nx && j < ny && k < nz) {
    int row = nx + 4;
    int plane = row * (ny + 4);
    int at = (k + 2) * plane + (j + 2) * row + (i + 2);
    double x2 = -from[at - 2] + 16 * from[at - 1] - 30 * from[at] + 16 * from[at + 1] - from[at + 2];
    double y2 = -from[at - 2 * row] + 16 * from[at - row] - 30 * from[at] + 16 * from[at + row] -
                from[at + 2 * row];
    double z2 = -from[at - 2 * plane] + 16 * from[at - plane] - 30 * from[at] + 16 * from[at + plane] -
                from[at + 2 * plane];
    to[at] = from[at] + (cx * x2 + cy * y2 + cz * z2) / 12;
  }
}

extern "C" void stencil_halo(int nx, int ny, int nz, double cx, double cy, double cz, const double* from,
                             double* to, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8, nz);
  stencil_halo_kernel<<<grid, block, 0, stream>>>(nx, ny, nz, cx, cy, cz, from, to);
}
