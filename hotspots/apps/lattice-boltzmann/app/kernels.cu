// The channel on a GPU.
#include <utility>

#include "channel.hpp"
#include "device.hpp"

// Takes momentum along the channel from what leaves the inflow's cells against it, and mass stays as it is. A
// cell with too little to take is left alone.
__global__ void drive_inflow(int nx, int ny, double drive, const int* kind, double* f) {
  long n = static_cast<long>(nx) * ny;
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= ny) return;
  long cell = static_cast<long>(y) * nx;
  double straight = drive / 3, slanting = drive / 12;
  double* at = f + cell;
  if (kind[cell] == 0 || at[3 * n] <= straight || at[6 * n] <= slanting || at[7 * n] <= slanting) return;
  at[1 * n] += straight;
  at[3 * n] -= straight;
  at[5 * n] += slanting;
  at[7 * n] -= slanting;
  at[8 * n] += slanting;
  at[6 * n] -= slanting;
}

__global__ void stream_and_collide(int nx, int ny, double omega, const int* kind, const double* f,
                                   double* g) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) {
    int n = nx * ny;
    int cell = y * nx + x;
    int west = (x + nx - 1) % nx;
    int east = (x + 1) % nx;
    int south = (y + ny - 1) % ny;
    int north = (y + 1) % ny;
    double f0 = f[0 * n + y * nx + x];
    double f1 = f[1 * n + y * nx + west];
    double f2 = f[2 * n + south * nx + x];
    double f3 = f[3 * n + y * nx + east];
    double f4 = f[4 * n + north * nx + x];
    double f5 = f[5 * n + south * nx + west];
    double f6 = f[6 * n + south * nx + east];
    double f7 = f[7 * n + north * nx + east];
    double f8 = f[8 * n + north * nx + west];
    if (kind[cell] == 0) {
      g[0 * n + cell] = f0;
      g[1 * n + cell] = f3;
      g[2 * n + cell] = f4;
      g[3 * n + cell] = f1;
      g[4 * n + cell] = f2;
      g[5 * n + cell] = f7;
      g[6 * n + cell] = f8;
      g[7 * n + cell] = f5;
      g[8 * n + cell] = f6;
    } else {
      double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
      double ux = (f1 + f5 + f8 - f3 - f6 - f7) / rho;
      double uy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
      double uu = 1.5 * (ux * ux + uy * uy);
      double ne = ux + uy;
      double nw = uy - ux;
      g[0 * n + cell] = f0 + omega * (4.0 / 9.0 * rho * (1.0 - uu) - f0);
      g[1 * n + cell] = f1 + omega * (1.0 / 9.0 * rho * (1.0 + 3.0 * ux + 4.5 * ux * ux - uu) - f1);
      g[2 * n + cell] = f2 + omega * (1.0 / 9.0 * rho * (1.0 + 3.0 * uy + 4.5 * uy * uy - uu) - f2);
      g[3 * n + cell] = f3 + omega * (1.0 / 9.0 * rho * (1.0 - 3.0 * ux + 4.5 * ux * ux - uu) - f3);
      g[4 * n + cell] = f4 + omega * (1.0 / 9.0 * rho * (1.0 - 3.0 * uy + 4.5 * uy * uy - uu) - f4);
      g[5 * n + cell] = f5 + omega * (1.0 / 36.0 * rho * (1.0 + 3.0 * ne + 4.5 * ne * ne - uu) - f5);
      g[6 * n + cell] = f6 + omega * (1.0 / 36.0 * rho * (1.0 + 3.0 * nw + 4.5 * nw * nw - uu) - f6);
      g[7 * n + cell] = f7 + omega * (1.0 / 36.0 * rho * (1.0 - 3.0 * ne + 4.5 * ne * ne - uu) - f7);
      g[8 * n + cell] = f8 + omega * (1.0 / 36.0 * rho * (1.0 - 3.0 * nw + 4.5 * nw * nw - uu) - f8);
    }
  }
}

void advance(Channel& channel) {
  drive_inflow<<<(channel.ny + 255) / 256, 256>>>(channel.nx, channel.ny, channel.drive, channel.kind,
                                                  channel.f);
  dim3 block(32, 8);
  dim3 grid((channel.nx + 31) / 32, (channel.ny + 7) / 8);
  stream_and_collide<<<grid, block>>>(channel.nx, channel.ny, channel.omega, channel.kind, channel.f,
                                      channel.g);
  std::swap(channel.f, channel.g);
}

__global__ void moments_of_cells(long n, const int* kind, const double* f, double* density, double* ux,
                                 double* uy) {
  long cell = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (cell >= n) return;
  const double* at = f + cell;
  double rho = 0;
  for (int k = 0; k < 9; ++k) rho += at[k * n];
  bool wall = kind[cell] == 0;
  density[cell] = rho;
  ux[cell] = wall ? 0 : (at[n] - at[3 * n] + at[5 * n] - at[6 * n] - at[7 * n] + at[8 * n]) / rho;
  uy[cell] = wall ? 0 : (at[2 * n] - at[4 * n] + at[5 * n] + at[6 * n] - at[7 * n] - at[8 * n]) / rho;
}

void moments(const Channel& channel, double* density, double* ux, double* uy) {
  long n = static_cast<long>(channel.nx) * channel.ny;
  moments_of_cells<<<(n + 255) / 256, 256>>>(n, channel.kind, channel.f, density, ux, uy);
}

// A block a part.
__global__ void total_of_cells(long n, const double* f, double* pieces) {
  __shared__ double masses[256];
  __shared__ double momenta[256];
  double mass = 0, momentum = 0;
  for (long cell = static_cast<long>(blockIdx.x) * 256 + threadIdx.x; cell < n; cell += parts * 256l) {
    const double* at = f + cell;
    for (int k = 0; k < 9; ++k) mass += at[k * n];
    momentum += at[n] - at[3 * n] + at[5 * n] - at[6 * n] - at[7 * n] + at[8 * n];
  }
  masses[threadIdx.x] = mass;
  momenta[threadIdx.x] = momentum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      masses[threadIdx.x] += masses[threadIdx.x + half];
      momenta[threadIdx.x] += momenta[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    pieces[blockIdx.x] = masses[0];
    pieces[parts + blockIdx.x] = momenta[0];
  }
}

void total(const Channel& channel, double* pieces) {
  long n = static_cast<long>(channel.nx) * channel.ny;
  total_of_cells<<<parts, 256>>>(n, channel.f, pieces);
}
