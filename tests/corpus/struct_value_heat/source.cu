// Explicit heat conduction, cut out of the solver. The grid travels by value everywhere in this code.
#include "grid.h"

struct Grid {
  int nx, ny;
  double dx, dy;
  double alpha, dt;
};

__device__ static double laplace(const Grid& g, const double* u, int i, int j) {
  const int c = j * g.nx + i;
  return (u[c - 1] - 2 * u[c] + u[c + 1]) / (g.dx * g.dx) +
         (u[c - g.nx] - 2 * u[c] + u[c + g.nx]) / (g.dy * g.dy);
}

// dim3 block(32, 8), grid((g.nx + 31) / 32, (g.ny + 7) / 8);
// heat_step<<<grid, block>>>(g, u, unew);
__global__ void heat_step(Grid g, const double* u, double* unew) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= g.nx - 1 || j >= g.ny - 1) return;
  unew[j * g.nx + i] = u[j * g.nx + i] + g.alpha * g.dt * laplace(g, u, i, j);
}
