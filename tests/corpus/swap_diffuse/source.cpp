// Seven-point diffusion with two buffers that change places after each step.
#define IDX(i, j, k) ((i) + nx * ((j) + ny * (k)))

void diffuse(int nx, int ny, int nz, float c, const float* __restrict__ from, float* __restrict__ to) {
#pragma omp parallel for
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const float here = from[IDX(i, j, k)];
        const bool edge = i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1;
        to[IDX(i, j, k)] = edge ? here
                                : here + c * (from[IDX(i - 1, j, k)] + from[IDX(i + 1, j, k)] +
                                              from[IDX(i, j - 1, k)] + from[IDX(i, j + 1, k)] +
                                              from[IDX(i, j, k - 1)] + from[IDX(i, j, k + 1)] - 6.0f * here);
      }
}

// The driver:
//   const float c = 0.1f;
//   for (int step = 0; step < steps; ++step) {
//     diffuse(nx, ny, nz, c, a, b);
//     std::swap(a, b);
//   }
//   write_field(a, nx * ny * nz);
