// Macroscopic cross-sections of materials at the energies of neutrons, as Monte Carlo transport looks them
// up:
//   sigma_k = sum over the material's nuclides of density * micro_k(energy), k = total, elastic, absorption,
//   fission, neutrons from fission.
// Material m holds nuclide[p], density[p] for mix_first[m] <= p < mix_first[m + 1]. Nuclide u has the points
// grid_first[u] <= p < grid_first[u + 1] of an energy grid of its own, grid[p] ascending, in whole steps of
// the library's resolution. Between its points micro_k is linear, from micro[5 * p + k] on; beyond its ends
// it is as there.

// The last point at or below the energy, or the first one, or the last but one.
static int point_below(const int* grid, int first, int end, double energy) {
  int low = first;
  int high = end - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (grid[middle] > energy) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

extern "C" void cross_section(int lookups, const double* energy, const int* material, const int* mix_first,
                              const int* nuclide, const double* density, const int* grid_first,
                              const int* grid, const double* micro, double* sigma) {
#pragma omp parallel for
  for (int i = 0; i < lookups; ++i) {
    double sum[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
    for (int p = mix_first[material[i]]; p < mix_first[material[i] + 1]; ++p) {
      int at = point_below(grid, grid_first[nuclide[p]], grid_first[nuclide[p] + 1], energy[i]);
      double part = (energy[i] - grid[at]) / (grid[at + 1] - grid[at]);
      if (part < 0.0) part = 0.0;
      if (part > 1.0) part = 1.0;
      for (int k = 0; k < 5; ++k) {
        double low = micro[5 * at + k];
        double high = micro[5 * (at + 1) + k];
        sum[k] += density[p] * (low + part * (high - low));
      }
    }
    for (int k = 0; k < 5; ++k) {
      sigma[5 * i + k] = sum[k];
    }
  }
}
