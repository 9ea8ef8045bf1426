// The kernels and the time step for GPUs.
#include "kernels.hpp"

namespace {

// The extents of a block, as kernels take them.
struct Extent {
  int nx, ny, nz;
};

__host__ __device__ size_t place(Extent n, int x, int y, int z) {
  return ((size_t)(z + halo) * (n.ny + 2 * halo) + (y + halo)) * (n.nx + 2 * halo) + (x + halo);
}

__global__ void pack(Extent n, Box box, const double* from, double* message) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < box.nx * box.ny * box.nz) {
    int i = e % box.nx, j = e / box.nx % box.ny, k = e / box.nx / box.ny;
    message[e] = from[place(n, box.x + i, box.y + j, box.z + k)];
  }
}

__global__ void unpack(Extent n, Box box, const double* message, double* to) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < box.nx * box.ny * box.nz) {
    int i = e % box.nx, j = e / box.nx % box.ny, k = e / box.nx / box.ny;
    to[place(n, box.x + i, box.y + j, box.z + k)] = message[e];
  }
}

// The layers beyond a wall mirror those before it with the other sign, so that the wall itself stays at zero.
__global__ void cool_walls(Extent n, double* u) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n.nx && j < n.ny) {
    for (int layer = 0; layer < halo; ++layer) {
      u[place(n, i, j, -1 - layer)] = -u[place(n, i, j, layer)];
      u[place(n, i, j, n.nz + layer)] = -u[place(n, i, j, n.nz - 1 - layer)];
    }
  }
}

// to = from + (cx x2 + cy y2 + cz z2) / 12, with fourth-order second differences.
__global__ void stencil_halo_kernel(int nx, int ny, int nz, double cx, double cy, double cz,
                                    const double* from, double* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z;
  if (i < nx && j < ny && k < nz) {
    int row = nx + 4;
    int plane = row * (ny + 4);
    int at = (k + 2) * plane + (j + 2) * row + (i + 2);
    double x2 = -from[at - 2] + 16 * from[at - 1] - 30 * from[at] + 16 * from[at + 1] - from[at + 2];
    double y2 = -from[at - 2 * row] + 16 * from[at - row] - 30 * from[at] + 16 * from[at + row] -
                from[at + 2 * row];
    double z2 = -from[at - 2 * plane] + 16 * from[at - plane] - 30 * from[at] + 16 * from[at + plane] -
                from[at + 2 * plane];
    to[at] = from[at] + (cx * x2 + cy * y2 + cz * z2) / 12;
  }
}

// A sum for each block of threads.
__global__ void sum_parts(Extent n, const double* u, double* partial) {
  __shared__ double part[256];
  double sum = 0;
  int points = n.nx * n.ny * n.nz;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < points; e += gridDim.x * blockDim.x)
    sum += u[place(n, e % n.nx, e / n.nx % n.ny, e / n.nx / n.ny)];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = part[0];
}

Extent extent(const Block& block) {
  return {block.nx, block.ny, block.nz};
}

void send(Block& from, Box inside, Block& to, Box beyond) {
  int blocks = (inside.nx * inside.ny * inside.nz + 255) / 256;
  pack<<<blocks, 256>>>(extent(from), inside, from.now().data(), to.message.data());
  unpack<<<blocks, 256>>>(extent(to), beyond, to.message.data(), to.now().data());
}

}  // namespace

void heat_step(Domain& domain, const double (&c)[3]) {
  for (int b = 0; b < 4; ++b) {
    Block &own = *domain[b], &aside = *domain[b ^ 1], &ahead = *domain[b ^ 2];
    send(aside, {aside.nx - halo, 0, 0, halo, own.ny, own.nz}, own, {-halo, 0, 0, halo, own.ny, own.nz});
    send(aside, {0, 0, 0, halo, own.ny, own.nz}, own, {own.nx, 0, 0, halo, own.ny, own.nz});
    send(ahead, {0, ahead.ny - halo, 0, own.nx, halo, own.nz}, own, {0, -halo, 0, own.nx, halo, own.nz});
    send(ahead, {0, 0, 0, own.nx, halo, own.nz}, own, {0, own.ny, 0, own.nx, halo, own.nz});
    dim3 walls((own.nx + 31) / 32, (own.ny + 7) / 8);
    cool_walls<<<walls, dim3(32, 8)>>>(extent(own), own.now().data());
  }
  for (auto& block : domain) {
    int nx = block->nx, ny = block->ny, nz = block->nz;
    dim3 grid((nx + 31) / 32, (ny + 7) / 8, nz);
    stencil_halo_kernel<<<grid, dim3(32, 8)>>>(nx, ny, nz, c[0], c[1], c[2], block->now().data(),
                                               block->next().data());
    block->swapped = !block->swapped;
  }
}

double total_heat(Domain& domain) {
  double heat = 0;
  for (auto& block : domain) {
    host::Buffer<double> partial(sums);
    sum_parts<<<sums, 256>>>(extent(*block), block->now().data(), partial.data());
    partial.download();
    for (double part : partial.host) heat += part;
  }
  return heat;
}
