// Soft repulsion between particles closer than rc; the list of i is list[first[i]] .. list[first[i + 1] - 1]
// and holds each neighbour within rc + skin once, never i itself.
#include "particles/neighbour_list.h"

static __constant__ double kSpring = 25.0;

__global__ void soft_force(int n, const double* pos, const int* first, const int* list, double rc,
                           double* force, double* energy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double rc2 = rc * rc;
  double f[3] = {0, 0, 0}, e = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    const int j = list[k];
    const double dx = pos[3 * i] - pos[3 * j];
    const double dy = pos[3 * i + 1] - pos[3 * j + 1];
    const double dz = pos[3 * i + 2] - pos[3 * j + 2];
    const double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 >= rc2) continue;
    const double r = sqrt(r2), overlap = 1 - r / rc;
    const double s = kSpring * overlap / r;
    f[0] += s * dx;
    f[1] += s * dy;
    f[2] += s * dz;
    e += 0.25 * kSpring * rc * overlap * overlap;
  }
  for (int d = 0; d < 3; ++d) force[3 * i + d] = f[d];
  energy[i] = e;
}
// soft_force<<<(n + 127) / 128, 128>>>(n, pos, first, list, rc, force, energy);
