// Explicit heat conduction, cut out of the solver. The grid travels by value everywhere in this code.
#include "grid.h"

struct Grid {
  int nx, ny;
  double dx, dy;
  double alpha, dt;
};

static inline double laplace(const Grid& g, const double* u, int i, int j) {
  const int c = j * g.nx + i;
  return (u[c - 1] - 2 * u[c] + u[c + 1]) / (g.dx * g.dx) +
         (u[c - g.nx] - 2 * u[c] + u[c + g.nx]) / (g.dy * g.dy);
}

void heat_step(Grid g, const double* u, double* unew) {
#pragma omp parallel for
  for (int j = 1; j < g.ny - 1; ++j)
    for (int i = 1; i < g.nx - 1; ++i)
      unew[j * g.nx + i] = u[j * g.nx + i] + g.alpha * g.dt * laplace(g, u, i, j);
}
