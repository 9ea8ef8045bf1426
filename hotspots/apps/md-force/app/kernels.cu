// The fluid on a GPU.
#include "device.hpp"
#include "fluid.hpp"

// Which cell a coordinate lies in, along one axis.
__device__ int cell_of(const Fluid& fluid, double coordinate) {
  int cell = static_cast<int>(coordinate / fluid.box * fluid.cells);
  return cell < fluid.cells ? cell : fluid.cells - 1;
}

__global__ void empty_cells(Fluid fluid) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < fluid.cells * fluid.cells * fluid.cells) fluid.inhabitants[cell] = 0;
}

__global__ void fill_cells(Fluid fluid) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fluid.n) return;
  int cell = (cell_of(fluid, fluid.z[i]) * fluid.cells + cell_of(fluid, fluid.y[i])) * fluid.cells +
             cell_of(fluid, fluid.x[i]);
  int slot = atomicAdd(&fluid.inhabitants[cell], 1);
  if (slot < fluid.room) fluid.inhabitant[cell * fluid.room + slot] = i;
}

// Stores the neighbours of i within reach from `at` to `end` of the list; how many there are.
__device__ int store_neighbours(const Fluid& fluid, int i, int at, int end) {
  int cells = fluid.cells, found = 0;
  int cx = cell_of(fluid, fluid.x[i]), cy = cell_of(fluid, fluid.y[i]), cz = cell_of(fluid, fluid.z[i]);
  for (int step = 0; step < 27; ++step) {
    int x = (cx + step % 3 - 1 + cells) % cells, y = (cy + step / 3 % 3 - 1 + cells) % cells;
    int cell = ((cz + step / 9 - 1 + cells) % cells * cells + y) * cells + x;
    for (int slot = 0; slot < fluid.inhabitants[cell] && slot < fluid.room; ++slot) {
      int j = fluid.inhabitant[cell * fluid.room + slot];
      double dx = fluid.x[i] - fluid.x[j], dy = fluid.y[i] - fluid.y[j], dz = fluid.z[i] - fluid.z[j];
      dx -= fluid.box * rint(dx / fluid.box);
      dy -= fluid.box * rint(dy / fluid.box);
      dz -= fluid.box * rint(dz / fluid.box);
      if (j == i || dx * dx + dy * dy + dz * dz >= fluid.reach * fluid.reach) continue;
      if (at + found < end) fluid.list[at + found] = j;
      ++found;
    }
  }
  return found;
}

__global__ void count_neighbours(Fluid fluid) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < fluid.n) fluid.offsets[i + 1] = store_neighbours(fluid, i, 0, 0);
}

// Counts to offsets, by one block: a stretch for each thread.
__global__ void add_up_counts(Fluid fluid) {
  __shared__ int sums[256];
  int* counts = fluid.offsets + 1;
  long n = fluid.n;
  int begin = n * threadIdx.x / 256, end = n * (threadIdx.x + 1) / 256;
  int sum = 0;
  for (int i = begin; i < end; ++i) sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  int offset = 0;
  for (int before = 0; before < threadIdx.x; ++before) offset += sums[before];
  for (int i = begin; i < end; ++i) {
    offset += counts[i];
    counts[i] = offset < fluid.capacity ? offset : fluid.capacity;
  }
  if (threadIdx.x == 0) fluid.offsets[0] = 0;
}

__global__ void list_neighbours(Fluid fluid) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < fluid.n) store_neighbours(fluid, i, fluid.offsets[i], fluid.offsets[i + 1]);
}

void find_neighbours(const Fluid& fluid) {
  int blocks = (fluid.n + 255) / 256;
  empty_cells<<<(fluid.cells * fluid.cells * fluid.cells + 255) / 256, 256>>>(fluid);
  fill_cells<<<blocks, 256>>>(fluid);
  count_neighbours<<<blocks, 256>>>(fluid);
  add_up_counts<<<1, 256>>>(fluid);
  list_neighbours<<<blocks, 256>>>(fluid);
}

// Half a time step for the velocities.
__global__ void kick(Fluid fluid) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fluid.n) return;
  double half = 0.5 * fluid.time_step;
  fluid.vx[i] += half * fluid.fx[i];
  fluid.vy[i] += half * fluid.fy[i];
  fluid.vz[i] += half * fluid.fz[i];
}

__device__ double moved(const Fluid& fluid, double at, double velocity) {
  at += fluid.time_step * velocity;
  return at - fluid.box * floor(at / fluid.box);
}

// A time step for the positions, which stay in the box.
__global__ void drift(Fluid fluid) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fluid.n) return;
  fluid.x[i] = moved(fluid, fluid.x[i], fluid.vx[i]);
  fluid.y[i] = moved(fluid, fluid.y[i], fluid.vy[i]);
  fluid.z[i] = moved(fluid, fluid.z[i], fluid.vz[i]);
}

__global__ void pull_atoms(int n, double box_x, double box_y, double box_z, double cutoff, int types,
                           int bins, const int* offsets, const int* list, const double* x, const double* y,
                           const double* z, const int* type, const double* table, double* fx, double* fy,
                           double* fz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    fx[i] = 0.0;
    fy[i] = 0.0;
    fz[i] = 0.0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      int j = list[k];
      double dx = x[i] - x[j];
      double dy = y[i] - y[j];
      double dz = z[i] - z[j];
      dx -= box_x * rint(dx / box_x);
      dy -= box_y * rint(dy / box_y);
      dz -= box_z * rint(dz / box_z);
      double r = sqrt(dx * dx + dy * dy + dz * dz);
      if (r < cutoff) {
        double p = r / cutoff * bins;
        int m = static_cast<int>(p);
        if (m > bins - 1) m = bins - 1;
        int at = (type[i] * types + type[j]) * (bins + 1) + m;
        double force = table[at] + (p - m) * (table[at + 1] - table[at]);
        fx[i] += force * dx / r;
        fy[i] += force * dy / r;
        fz[i] += force * dz / r;
      }
    }
  }
}

void find_forces(const Fluid& fluid) {
  int blocks = (fluid.n + 255) / 256;
  pull_atoms<<<blocks, 256>>>(fluid.n, fluid.box, fluid.box, fluid.box, fluid.cutoff, fluid.types, fluid.bins,
                              fluid.offsets, fluid.list, fluid.x, fluid.y, fluid.z, fluid.type,
                              fluid.force_table, fluid.fx, fluid.fy, fluid.fz);
}

void advance(const Fluid& fluid) {
  int blocks = (fluid.n + 255) / 256;
  kick<<<blocks, 256>>>(fluid);
  drift<<<blocks, 256>>>(fluid);
  find_forces(fluid);
  kick<<<blocks, 256>>>(fluid);
}

__device__ double interpolated(const double* row, double r, double cutoff, int bins) {
  double p = r / cutoff * bins;
  int m = p < bins ? static_cast<int>(p) : bins - 1;
  return row[m] + (p - m) * (row[m + 1] - row[m]);
}

__device__ double energy_of(const Fluid& fluid, int i) {
  double energy = 0;
  for (int k = fluid.offsets[i]; k < fluid.offsets[i + 1]; ++k) {
    int j = fluid.list[k];
    double dx = fluid.x[i] - fluid.x[j], dy = fluid.y[i] - fluid.y[j], dz = fluid.z[i] - fluid.z[j];
    dx -= fluid.box * rint(dx / fluid.box);
    dy -= fluid.box * rint(dy / fluid.box);
    dz -= fluid.box * rint(dz / fluid.box);
    double r = sqrt(dx * dx + dy * dy + dz * dz);
    const double* row = fluid.energy_table + (fluid.type[i] * fluid.types + fluid.type[j]) * (fluid.bins + 1);
    if (r < fluid.cutoff) energy += 0.5 * interpolated(row, r, fluid.cutoff, fluid.bins);
  }
  return energy;
}

// A block a part.
__global__ void total_of_atoms(Fluid fluid, double* pieces) {
  __shared__ double kinetics[256];
  __shared__ double potentials[256];
  double kinetic = 0, potential = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < fluid.n; i += parts * 256) {
    kinetic += 0.5 * (fluid.vx[i] * fluid.vx[i] + fluid.vy[i] * fluid.vy[i] + fluid.vz[i] * fluid.vz[i]);
    potential += energy_of(fluid, i);
  }
  kinetics[threadIdx.x] = kinetic;
  potentials[threadIdx.x] = potential;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      kinetics[threadIdx.x] += kinetics[threadIdx.x + half];
      potentials[threadIdx.x] += potentials[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    pieces[blockIdx.x] = kinetics[0];
    pieces[parts + blockIdx.x] = potentials[0];
  }
}

void total(const Fluid& fluid, double* pieces) {
  total_of_atoms<<<parts, 256>>>(fluid, pieces);
}
