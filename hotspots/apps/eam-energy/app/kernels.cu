// The alloy on a GPU.
#include "alloy.hpp"

__device__ float nearest(float d, float box) {
  return d - box * rintf(d / box);
}

// Which cell a coordinate lies in, along one axis.
__device__ int cell_of(const Alloy& alloy, float coordinate) {
  int cell = static_cast<int>(coordinate / alloy.box * alloy.cells);
  return cell < alloy.cells ? cell : alloy.cells - 1;
}

__global__ void empty_cells(Alloy alloy) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell < alloy.cells * alloy.cells * alloy.cells) alloy.inhabitants[cell] = 0;
}

__global__ void fill_cells(Alloy alloy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= alloy.n) return;
  float4 at = alloy.position[i];
  int cell = (cell_of(alloy, at.z) * alloy.cells + cell_of(alloy, at.y)) * alloy.cells + cell_of(alloy, at.x);
  int slot = atomicAdd(&alloy.inhabitants[cell], 1);
  if (slot < alloy.room) alloy.inhabitant[cell * alloy.room + slot] = i;
}

__global__ void list_neighbours(Alloy alloy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= alloy.n) return;
  float4 here = alloy.position[i];
  int cells = alloy.cells, found = 0;
  int cx = cell_of(alloy, here.x), cy = cell_of(alloy, here.y), cz = cell_of(alloy, here.z);
  for (int step = 0; step < 27; ++step) {
    int x = (cx + step % 3 - 1 + cells) % cells, y = (cy + step / 3 % 3 - 1 + cells) % cells;
    int cell = ((cz + step / 9 - 1 + cells) % cells * cells + y) * cells + x;
    for (int slot = 0; slot < alloy.inhabitants[cell] && slot < alloy.room; ++slot) {
      int j = alloy.inhabitant[cell * alloy.room + slot];
      float4 there = alloy.position[j];
      float dx = nearest(here.x - there.x, alloy.box), dy = nearest(here.y - there.y, alloy.box);
      float dz = nearest(here.z - there.z, alloy.box);
      bool near = dx * dx + dy * dy + dz * dz < alloy.reach * alloy.reach;
      if (j != i && near && found < alloy.most) alloy.neighbours[alloy.n * found++ + i] = j;
    }
  }
  alloy.count[i] = found;
}

void find_neighbours(const Alloy& alloy) {
  int blocks = (alloy.n + 255) / 256;
  empty_cells<<<(alloy.cells * alloy.cells * alloy.cells + 255) / 256, 256>>>(alloy);
  fill_cells<<<blocks, 256>>>(alloy);
  list_neighbours<<<blocks, 256>>>(alloy);
}

// Half a time step for the velocities.
__global__ void kick(Alloy alloy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= alloy.n) return;
  float half = 0.5f * alloy.time_step;
  alloy.velocity[i].x += half * alloy.force[i].x;
  alloy.velocity[i].y += half * alloy.force[i].y;
  alloy.velocity[i].z += half * alloy.force[i].z;
}

__device__ float moved(const Alloy& alloy, float at, float velocity) {
  at += alloy.time_step * velocity;
  return at - alloy.box * floorf(at / alloy.box);
}

// A time step for the positions, which stay in the box.
__global__ void drift(Alloy alloy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= alloy.n) return;
  float4 at = alloy.position[i], v = alloy.velocity[i];
  float x = moved(alloy, at.x, v.x), y = moved(alloy, at.y, v.y), z = moved(alloy, at.z, v.z);
  alloy.position[i] = make_float4(x, y, z, at.w);
}

__global__ void embed_atoms(int n, float box_x, float box_y, float box_z, float cutoff, int nr, float dr,
                            int nrho, float drho, const float4* position, const int* count,
                            const int* neighbours, const float4* density_spline,
                            const float4* embedding_spline, float* energy, float* derivative) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 here = position[i];
    float rho = 0.0f;
    for (int k = 0; k < count[i]; ++k) {
      float4 there = position[neighbours[k * n + i]];
      float dx = here.x - there.x;
      float dy = here.y - there.y;
      float dz = here.z - there.z;
      dx -= box_x * rintf(dx / box_x);
      dy -= box_y * rintf(dy / box_y);
      dz -= box_z * rintf(dz / box_z);
      float r = sqrtf(dx * dx + dy * dy + dz * dz);
      if (r < cutoff) {
        float p = r / dr;
        int m = static_cast<int>(p);
        if (m > nr - 1) m = nr - 1;
        p -= m;
        float4 c = density_spline[static_cast<int>(there.w) * nr + m];
        rho += ((c.x * p + c.y) * p + c.z) * p + c.w;
      }
    }
    float p = rho / drho;
    int m = static_cast<int>(p);
    if (m > nrho - 1) m = nrho - 1;
    p -= m;
    float4 c = embedding_spline[static_cast<int>(here.w) * nrho + m];
    energy[i] = ((c.x * p + c.y) * p + c.z) * p + c.w;
    derivative[i] = ((3.0f * c.x * p + 2.0f * c.y) * p + c.z) / drho;
  }
}

// Value and slope of a spline at p intervals.
__device__ float value_of(float4 c, float p) {
  return ((c.x * p + c.y) * p + c.z) * p + c.w;
}
__device__ float slope_of(float4 c, float p) {
  return (3 * c.x * p + 2 * c.y) * p + c.z;
}

// Of pairs, and of the densities that atoms make for each other.
__global__ void add_up_forces(Alloy alloy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= alloy.n) return;
  float4 here = alloy.position[i];
  float fx = 0, fy = 0, fz = 0, shared = 0;
  for (int k = 0; k < alloy.count[i]; ++k) {
    int j = alloy.neighbours[k * alloy.n + i];
    float4 there = alloy.position[j];
    float dx = nearest(here.x - there.x, alloy.box), dy = nearest(here.y - there.y, alloy.box);
    float dz = nearest(here.z - there.z, alloy.box);
    float r = sqrtf(dx * dx + dy * dy + dz * dz);
    if (r >= alloy.cutoff) continue;
    float p = r / alloy.pair.width;
    int m = p < alloy.pair.intervals ? static_cast<int>(p) : alloy.pair.intervals - 1;
    p -= m;
    float4 pair = alloy.pair.coefficients[m];
    float4 of_here = alloy.density.coefficients[static_cast<int>(here.w) * alloy.density.intervals + m];
    float4 of_there = alloy.density.coefficients[static_cast<int>(there.w) * alloy.density.intervals + m];
    float slope = slope_of(pair, p) + alloy.derivative[i] * slope_of(of_there, p) +
                        alloy.derivative[j] * slope_of(of_here, p);
    float pull = -slope / (alloy.pair.width * r);
    fx += pull * dx;
    fy += pull * dy;
    fz += pull * dz;
    shared += 0.5f * value_of(pair, p);
  }
  alloy.force[i] = make_float4(fx, fy, fz, shared);
}

void find_forces(const Alloy& alloy) {
  int blocks = (alloy.n + 255) / 256;
  const Spline &density = alloy.density, &embedding = alloy.embedding;
  embed_atoms<<<blocks, 256>>>(alloy.n, alloy.box, alloy.box, alloy.box, alloy.cutoff, density.intervals,
                               density.width, embedding.intervals, embedding.width, alloy.position,
                               alloy.count, alloy.neighbours, density.coefficients, embedding.coefficients,
                               alloy.energy, alloy.derivative);
  add_up_forces<<<blocks, 256>>>(alloy);
}

void advance(const Alloy& alloy) {
  int blocks = (alloy.n + 255) / 256;
  kick<<<blocks, 256>>>(alloy);
  drift<<<blocks, 256>>>(alloy);
  find_forces(alloy);
  kick<<<blocks, 256>>>(alloy);
}

// A block a part.
__global__ void total_of_atoms(Alloy alloy, double* pieces) {
  __shared__ double kinetics[256];
  __shared__ double bounds[256];
  double kinetic = 0, bound = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < alloy.n; i += parts * 256) {
    float4 v = alloy.velocity[i];
    kinetic += 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z);
    bound += alloy.energy[i] + alloy.force[i].w;
  }
  kinetics[threadIdx.x] = kinetic;
  bounds[threadIdx.x] = bound;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      kinetics[threadIdx.x] += kinetics[threadIdx.x + half];
      bounds[threadIdx.x] += bounds[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    pieces[blockIdx.x] = kinetics[0];
    pieces[parts + blockIdx.x] = bounds[0];
  }
}

void total(const Alloy& alloy, double* pieces) {
  total_of_atoms<<<parts, 256>>>(alloy, pieces);
}
