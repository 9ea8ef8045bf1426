// Symmetric Gauss-Seidel on a structured grid of a flow solver with seven coefficients a cell:
//   ap x_P = aw x_W + ae x_E + as x_S + an x_N + ab x_B + at x_T + b,
// a sweep forwards through all inner cells, then one backwards, each with the newest values around. The
// outermost layer of cells holds the boundary's values and stays as it is. x runs fastest, then y.
// Cells of one plane i + j + k do not need each other: a launch for each, upwards and then downwards.
__global__ void relax_plane(int plane, int nx, int ny, int nz, const double* ap, const double* aw,
                            const double* ae, const double* as, const double* an, const double* ab,
                            const double* at, const double* b, double* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int k = plane - i - j;
  if (i < nx - 1 && j < ny - 1 && k >= 1 && k < nz - 1) {
    int c = (k * ny + j) * nx + i;
    x[c] = (b[c] + aw[c] * x[c - 1] + ae[c] * x[c + 1] + as[c] * x[c - nx] + an[c] * x[c + nx] +
            ab[c] * x[c - nx * ny] + at[c] * x[c + nx * ny]) / ap[c];
  }
}

extern "C" void gauss_seidel(int sweeps, int nx, int ny, int nz, const double* ap, const double* aw,
                             const double* ae, const double* as, const double* an, const double* ab,
                             const double* at, const double* b, double* x, mep_stream_t stream) {
  dim3 block(32, 8);
  dim3 grid((nx - 2 + 31) / 32, (ny - 2 + 7) / 8);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int plane = 3; plane <= nx + ny + nz - 6; ++plane) {
      relax_plane<<<grid, block, 0, stream>>>(plane, nx, ny, nz, ap, aw, ae, as, an, ab, at, b, x);
    }
    for (int plane = nx + ny + nz - 6; plane >= 3; --plane) {
      relax_plane<<<grid, block, 0, stream>>>(plane, nx, ny, nz, ap, aw, ae, as, an, ab, at, b, x);
    }
  }
}
