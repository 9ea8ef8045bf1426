// The kernels and the step for GPUs.
#include "kernels.hpp"

namespace {

// The n-th of a neutron's random numbers in a generation, in (0, 1).
__device__ double chance(int neutron, int generation, int n) {
  unsigned long long bits = ((unsigned long long)generation << 32 | (unsigned int)neutron) * 4 + n;
  for (int round = 0; round < 3; ++round) {
    bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15ull + 0x632BE59BD9B4E019ull;
  }
  return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

__global__ void sample_source(int neutrons, int materials, double* energy, int* material) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < neutrons) {
    energy[i] = energies * chance(i, 0, 0);
    material[i] = (int)(chance(i, 0, 1) * materials);
  }
}

// The last point at or below the energy, or the first one, or the last but one.
__device__ int point_below(const int* grid, int first, int end, double energy) {
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

__global__ void cross_section_kernel(int lookups, const double* energy, const int* material,
                                     const int* mix_first, const int* nuclide, const double* density,
                                     const int* grid_first, const int* grid, const double* micro,
                                     double* sigma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lookups) {
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

// A scattered neutron loses up to half of its energy; an absorbed one makes room for a new one of the source. After a
// long flight it is in another material.
__global__ void collide(int neutrons, int materials, int generation, const double* sigma, const double* energy,
                        const int* material, double* next_energy, int* next_material) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < neutrons) {
    double total = sigma[5 * i], elastic = sigma[5 * i + 1];
    bool far = -log(chance(i, generation, 0)) > 0.5 * total;
    bool absorbed = chance(i, generation, 1) * total > elastic;
    double lot = chance(i, generation, 2);
    next_energy[i] = absorbed ? energies * lot : energy[i] * (1 - 0.5 * lot);
    next_material[i] = absorbed || far ? (int)(chance(i, generation, 3) * materials) : material[i];
  }
}

__global__ void tally(int neutrons, const int* material, unsigned int* collisions) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < neutrons) atomicAdd(&collisions[material[i]], 1u);
}

// A sum for each block.
__global__ void fission_parts(int neutrons, const double* sigma, double* partial) {
  __shared__ double part[256];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < neutrons; i += gridDim.x * blockDim.x)
    sum += sigma[5 * i + 4] / sigma[5 * i];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = part[0];
}

}  // namespace

void start(Transport& transport) {
  sample_source<<<(transport.neutrons + 255) / 256, 256>>>(transport.neutrons, transport.materials,
                                                           transport.now().energy.data(),
                                                           transport.now().material.data());
}

double transport_step(Transport& transport, int generation) {
  const int n = transport.neutrons, blocks = (n + 255) / 256;
  Bank &now = transport.now(), &next = transport.next();
  double* sigma = transport.sigma.data();
  cross_section_kernel<<<blocks, 256>>>(n, now.energy.data(), now.material.data(), transport.mix_first.data(),
                                        transport.nuclide.data(), transport.density.data(),
                                        transport.grid_first.data(), transport.grid.data(),
                                        transport.micro.data(), sigma);
  tally<<<blocks, 256>>>(n, now.material.data(), transport.collisions.data());
  collide<<<blocks, 256>>>(n, transport.materials, generation, sigma, now.energy.data(), now.material.data(),
                           next.energy.data(), next.material.data());
  transport.swapped = !transport.swapped;
  fission_parts<<<sums, 256>>>(n, sigma, transport.partial.data());
  transport.partial.download();
  double sum = 0;
  for (double part : transport.partial.host) sum += part;
  return sum / n;
}
