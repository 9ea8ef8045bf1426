// Symmetric Gauss-Seidel on a structured grid of a flow solver with seven coefficients a cell:
//   ap x_P = aw x_W + ae x_E + as x_S + an x_N + ab x_B + at x_T + b,
// a sweep forwards through all inner cells, then one backwards, each with the newest values around. The
// outermost layer of cells holds the boundary's values and stays as it is. x runs fastest, then y.
extern "C" void gauss_seidel(int sweeps, int nx, int ny, int nz, const double* ap, const double* aw,
                             const double* ae, const double* as, const double* an, const double* ab,
                             const double* at, const double* b, double* x) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int k = 1; k < nz - 1; ++k) {
      for (int j = 1; j < ny - 1; ++j) {
        for (int i = 1; i < nx - 1; ++i) {
          int c = (k * ny + j) * nx + i;
          x[c] = (b[c] + aw[c] * x[c - 1] + ae[c] * x[c + 1] + as[c] * x[c - nx] + an[c] * x[c + nx] +
                  ab[c] * x[c - nx * ny] + at[c] * x[c + nx * ny]) /
                 ap[c];
        }
      }
    }
    for (int k = nz - 2; k >= 1; --k) {
      for (int j = ny - 2; j >= 1; --j) {
        for (int i = nx - 2; i >= 1; --i) {
          int c = (k * ny + j) * nx + i;
          x[c] = (b[c] + aw[c] * x[c - 1] + ae[c] * x[c + 1] + as[c] * x[c - nx] + an[c] * x[c + nx] +
                  ab[c] * x[c - nx * ny] + at[c] * x[c + nx * ny]) /
                 ap[c];
        }
      }
    }
  }
}
