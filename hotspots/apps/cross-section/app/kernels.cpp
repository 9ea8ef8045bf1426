// The kernels and the step for OpenMP.
#include "kernels.hpp"

#include <cmath>
#include <cstdint>

namespace {

// The n-th of a neutron's random numbers in a generation, in (0, 1).
double chance(int neutron, int generation, int n) {
  std::uint64_t bits =
      (static_cast<std::uint64_t>(generation) << 32 | static_cast<unsigned int>(neutron)) * 4 + n;
  for (int round = 0; round < 3; ++round) {
    bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
  }
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

void sample_source(int neutrons, int materials, double* energy, int* material) {
#pragma omp parallel for
  for (int i = 0; i < neutrons; ++i) {
    energy[i] = energies * chance(i, 0, 0);
    material[i] = static_cast<int>(chance(i, 0, 1) * materials);
  }
}

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

// Macroscopic cross-sections of each neutron's material at its energy.
void cross_section(int lookups, const double* energy, const int* material, const int* mix_first,
                   const int* nuclide, const double* density, const int* grid_first, const int* grid,
                   const double* micro, double* sigma) {
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

// A scattered neutron loses up to half of its energy; an absorbed one makes room for a new one of the source.
// After a long flight it is in another material.
void collide(int neutrons, int materials, int generation, const double* sigma, const double* energy,
             const int* material, double* next_energy, int* next_material) {
#pragma omp parallel for
  for (int i = 0; i < neutrons; ++i) {
    const double total = sigma[5 * i], elastic = sigma[5 * i + 1];
    const bool far = -std::log(chance(i, generation, 0)) > 0.5 * total;
    const bool absorbed = chance(i, generation, 1) * total > elastic;
    const double lot = chance(i, generation, 2);
    next_energy[i] = absorbed ? energies * lot : energy[i] * (1 - 0.5 * lot);
    next_material[i] = absorbed || far ? static_cast<int>(chance(i, generation, 3) * materials) : material[i];
  }
}

void tally(int neutrons, const int* material, unsigned int* collisions) {
#pragma omp parallel for
  for (int i = 0; i < neutrons; ++i) {
#pragma omp atomic
    ++collisions[material[i]];
  }
}

double fission_neutrons(int neutrons, const double* sigma) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < neutrons; ++i) sum += sigma[5 * i + 4] / sigma[5 * i];
  return sum;
}

}  // namespace

void start(Transport& transport) {
  sample_source(transport.neutrons, transport.materials, transport.now().energy.data(),
                transport.now().material.data());
}

double transport_step(Transport& transport, int generation) {
  const int n = transport.neutrons;
  Bank &now = transport.now(), &next = transport.next();
  double* sigma = transport.sigma.data();
  cross_section(n, now.energy.data(), now.material.data(), transport.mix_first.data(),
                transport.nuclide.data(), transport.density.data(), transport.grid_first.data(),
                transport.grid.data(), transport.micro.data(), sigma);
  tally(n, now.material.data(), transport.collisions.data());
  collide(n, transport.materials, generation, sigma, now.energy.data(), now.material.data(),
          next.energy.data(), next.material.data());
  transport.swapped = !transport.swapped;
  return fission_neutrons(n, sigma) / n;
}
