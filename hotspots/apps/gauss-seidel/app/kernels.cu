// Transport of heat on a GPU.
#include "device.hpp"
#include "transport.hpp"

// No heat through the sides: a thread for each cell of a layer's outline, in two steps, since the corners follow
// the sides along x.
__global__ void close_sides_x(int nx, int ny, int nz, double* heat) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int k = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (j < ny - 1 && k < nz - 1) {
    double* row = heat + (static_cast<long>(k) * ny + j) * nx;
    row[0] = row[1];
    row[nx - 1] = row[nx - 2];
  }
}

__global__ void close_sides_y(int nx, int ny, int nz, double* heat) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < nx && k < nz - 1) {
    double* layer = heat + static_cast<long>(k) * ny * nx + i;
    layer[0] = layer[nx];
    layer[(ny - 1) * nx] = layer[(ny - 2) * nx];
  }
}

// Warm below, cold above.
__global__ void set_ends(int nx, int ny, int nz, double* heat) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    heat[j * nx + i] = 1;
    heat[(static_cast<long>(nz - 1) * ny + j) * nx + i] = 0;
  }
}

// Conduction by central, transport by upwind differences.
__global__ void assemble(Transport box, double strength) {
  long n = static_cast<long>(box.nx) * box.ny * box.nz;
  long c = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (c >= n) return;
  double conduction = box.conductivity / (box.spacing * box.spacing), pull = strength / box.spacing;
  double all = 1 / box.time_step;
  for (int axis = 0; axis < 3; ++axis) {
    double flow = pull * box.flow[axis * n + c];
    double below = conduction + fmax(flow, 0.0), above = conduction + fmax(-flow, 0.0);
    box.coefficients[(1 + 2 * axis) * n + c] = below;
    box.coefficients[(2 + 2 * axis) * n + c] = above;
    all += below + above;
  }
  box.coefficients[c] = all;
  box.b[c] = box.heat[c] / box.time_step + strength * box.source[c];
}

__global__ void relax_plane(int plane, int nx, int ny, int nz, const double* ap, const double* aw,
                            const double* ae, const double* as, const double* an, const double* ab,
                            const double* at, const double* b, double* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int k = plane - i - j;
  if (i < nx - 1 && j < ny - 1 && k >= 1 && k < nz - 1) {
    int c = (k * ny + j) * nx + i;
    x[c] = (b[c] + aw[c] * x[c - 1] + ae[c] * x[c + 1] + as[c] * x[c - nx] + an[c] * x[c + nx] +
            ab[c] * x[c - nx * ny] + at[c] * x[c + nx * ny]) / ap[c];
  }
}

void advance(const Transport& box, double strength) {
  int nx = box.nx, ny = box.ny, nz = box.nz;
  long n = static_cast<long>(nx) * ny * nz;
  dim3 block(32, 8);
  close_sides_x<<<dim3((ny + 31) / 32, (nz + 7) / 8), block>>>(nx, ny, nz, box.heat);
  close_sides_y<<<dim3((nx + 31) / 32, (nz + 7) / 8), block>>>(nx, ny, nz, box.heat);
  set_ends<<<dim3((nx + 31) / 32, (ny + 7) / 8), block>>>(nx, ny, nz, box.heat);
  assemble<<<(n + 255) / 256, 256>>>(box, strength);

  const double *ap = box.coefficients, *aw = ap + n, *ae = ap + 2 * n, *as = ap + 3 * n, *an = ap + 4 * n;
  const double *ab = ap + 5 * n, *at = ap + 6 * n;
  dim3 grid((nx - 2 + 31) / 32, (ny - 2 + 7) / 8);
  for (int sweep = 0; sweep < box.sweeps; ++sweep) {
    for (int plane = 3; plane <= nx + ny + nz - 6; ++plane) {
      relax_plane<<<grid, block>>>(plane, nx, ny, nz, ap, aw, ae, as, an, ab, at, box.b, box.heat);
    }
    for (int plane = nx + ny + nz - 6; plane >= 3; --plane) {
      relax_plane<<<grid, block>>>(plane, nx, ny, nz, ap, aw, ae, as, an, ab, at, box.b, box.heat);
    }
  }
}

// A block a part.
__global__ void total_of_cells(Transport box, double* pieces) {
  __shared__ double squares[256];
  __shared__ double heats[256];
  int nx = box.nx, ny = box.ny, nz = box.nz;
  long n = static_cast<long>(nx) * ny * nz;
  const double *a = box.coefficients, *x = box.heat;
  double square = 0, heat = 0;
  for (long c = static_cast<long>(blockIdx.x) * 256 + threadIdx.x; c < n; c += parts * 256l) {
    long i = c % nx, j = c / nx % ny, k = c / nx / ny;
    if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1) continue;
    double along_x = a[n + c] * x[c - 1] + a[2 * n + c] * x[c + 1];
    double along_y = a[3 * n + c] * x[c - nx] + a[4 * n + c] * x[c + nx];
    double along_z = a[5 * n + c] * x[c - nx * ny] + a[6 * n + c] * x[c + nx * ny];
    double left = box.b[c] + along_x + along_y + along_z - a[c] * x[c];
    square += left * left;
    heat += x[c];
  }
  squares[threadIdx.x] = square;
  heats[threadIdx.x] = heat;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      squares[threadIdx.x] += squares[threadIdx.x + half];
      heats[threadIdx.x] += heats[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    pieces[blockIdx.x] = squares[0];
    pieces[parts + blockIdx.x] = heats[0];
  }
}

void total(const Transport& box, double* pieces) {
  total_of_cells<<<parts, 256>>>(box, pieces);
}
