// Transport of heat on the host.
#include <algorithm>

#include "transport.hpp"

namespace {

// Warm below, cold above, and no heat through the other sides.
void set_boundary(int nx, int ny, int nz, double* heat) {
#pragma omp parallel for
  for (int k = 1; k < nz - 1; ++k) {
    double* layer = heat + static_cast<long>(k) * ny * nx;
    for (int j = 1; j < ny - 1; ++j) {
      layer[j * nx] = layer[j * nx + 1];
      layer[j * nx + nx - 1] = layer[j * nx + nx - 2];
    }
    for (int i = 0; i < nx; ++i) {
      layer[i] = layer[nx + i];
      layer[(ny - 1) * nx + i] = layer[(ny - 2) * nx + i];
    }
  }
  const long top = static_cast<long>(nz - 1) * ny * nx;
  std::fill(heat, heat + ny * nx, 1.0);
  std::fill(heat + top, heat + top + ny * nx, 0.0);
}

// Conduction by central, transport by upwind differences.
void assemble(const Transport& box, double strength) {
  const long n = static_cast<long>(box.nx) * box.ny * box.nz;
  const double conduction = box.conductivity / (box.spacing * box.spacing), pull = strength / box.spacing;
#pragma omp parallel for
  for (long c = 0; c < n; ++c) {
    double all = 1 / box.time_step;
    for (int axis = 0; axis < 3; ++axis) {
      const double flow = pull * box.flow[axis * n + c];
      const double below = conduction + std::max(flow, 0.0), above = conduction + std::max(-flow, 0.0);
      box.coefficients[(1 + 2 * axis) * n + c] = below;
      box.coefficients[(2 + 2 * axis) * n + c] = above;
      all += below + above;
    }
    box.coefficients[c] = all;
    box.b[c] = box.heat[c] / box.time_step + strength * box.source[c];
  }
}

void gauss_seidel(int sweeps, int nx, int ny, int nz, const double* ap, const double* aw, const double* ae,
                  const double* as, const double* an, const double* ab, const double* at, const double* b,
                  double* x) {
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

}  // namespace

void advance(const Transport& box, double strength) {
  set_boundary(box.nx, box.ny, box.nz, box.heat);
  assemble(box, strength);
  const long n = static_cast<long>(box.nx) * box.ny * box.nz;
  const double* a = box.coefficients;
  gauss_seidel(box.sweeps, box.nx, box.ny, box.nz, a, a + n, a + 2 * n, a + 3 * n, a + 4 * n, a + 5 * n,
               a + 6 * n, box.b, box.heat);
}

void total(const Transport& box, double* pieces) {
  const int nx = box.nx, ny = box.ny, nz = box.nz;
  const long n = static_cast<long>(nx) * ny * nz;
  const double *a = box.coefficients, *x = box.heat;
#pragma omp parallel for
  for (int part = 0; part < parts; ++part) {
    double squares = 0, heat = 0;
    for (long c = n * part / parts; c < n * (part + 1) / parts; ++c) {
      const long i = c % nx, j = c / nx % ny, k = c / nx / ny;
      if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1) continue;
      const double along_x = a[n + c] * x[c - 1] + a[2 * n + c] * x[c + 1];
      const double along_y = a[3 * n + c] * x[c - nx] + a[4 * n + c] * x[c + nx];
      const double along_z = a[5 * n + c] * x[c - nx * ny] + a[6 * n + c] * x[c + nx * ny];
      const double left = box.b[c] + along_x + along_y + along_z - a[c] * x[c];
      squares += left * left;
      heat += x[c];
    }
    pieces[part] = squares;
    pieces[parts + part] = heat;
  }
}
