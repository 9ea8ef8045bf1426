// Rows by pointers, so that only the first and the last cell of a row wrap around; one division a cell; walls
// by selection rather than by a branch, so that the cells between are computed several at a time.
namespace {

struct Rows {
  const double* f[9];  // of the rows that cell x of this row takes from, in each direction
  double* g[9];
  const int* kind;
};

inline void update(const Rows& row, double omega, int x, int west, int east) {
  const double f0 = row.f[0][x], f1 = row.f[1][west], f2 = row.f[2][x], f3 = row.f[3][east], f4 = row.f[4][x];
  const double f5 = row.f[5][west], f6 = row.f[6][east], f7 = row.f[7][east], f8 = row.f[8][west];
  const double right = f1 + f5 + f8, left = f3 + f6 + f7, rho = f0 + f2 + f4 + right + left,
               inverse = 1.0 / rho;
  const double ux = (right - left) * inverse, uy = (f2 + f5 + f6 - f4 - f7 - f8) * inverse;
  const double rest = 1.0 - 1.5 * (ux * ux + uy * uy), keep = 1.0 - omega;
  const double straight = omega / 9.0 * rho, slanting = omega / 36.0 * rho, ne = ux + uy, nw = uy - ux;
  const double x_even = rest + 4.5 * ux * ux, y_even = rest + 4.5 * uy * uy;
  const double ne_even = rest + 4.5 * ne * ne, nw_even = rest + 4.5 * nw * nw;
  const bool wall = row.kind[x] == 0;
  row.g[0][x] = wall ? f0 : keep * f0 + 4.0 * straight * rest;
  row.g[1][x] = wall ? f3 : keep * f1 + straight * (x_even + 3.0 * ux);
  row.g[2][x] = wall ? f4 : keep * f2 + straight * (y_even + 3.0 * uy);
  row.g[3][x] = wall ? f1 : keep * f3 + straight * (x_even - 3.0 * ux);
  row.g[4][x] = wall ? f2 : keep * f4 + straight * (y_even - 3.0 * uy);
  row.g[5][x] = wall ? f7 : keep * f5 + slanting * (ne_even + 3.0 * ne);
  row.g[6][x] = wall ? f8 : keep * f6 + slanting * (nw_even + 3.0 * nw);
  row.g[7][x] = wall ? f5 : keep * f7 + slanting * (ne_even - 3.0 * ne);
  row.g[8][x] = wall ? f6 : keep * f8 + slanting * (nw_even - 3.0 * nw);
}

}  // namespace

extern "C" void lattice_boltzmann(int nx, int ny, double omega, const int* kind, const double* f, double* g) {
  const long n = static_cast<long>(nx) * ny;
  const int step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
#pragma omp parallel for
  for (int y = 0; y < ny; ++y) {
    const long here = static_cast<long>(y) * nx;
    Rows row;
    for (int k = 0; k < 9; ++k) {
      row.f[k] = f + k * n + static_cast<long>((y - step_y[k] + ny) % ny) * nx;
      row.g[k] = g + k * n + here;
    }
    row.kind = kind + here;
    update(row, omega, 0, nx - 1, 1 % nx);
#pragma omp simd
    for (int x = 1; x < nx - 1; ++x) update(row, omega, x, x - 1, x + 1);
    if (nx > 1) update(row, omega, nx - 1, nx - 2, 0);
  }
}
