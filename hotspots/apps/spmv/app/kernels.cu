// The kernels and the solver for GPUs.
#include "kernels.hpp"

namespace {

constexpr int threads = 256;

__global__ void copy(int n, const double* from, double* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

// y = A x, A in compressed sparse rows.
__global__ void spmv_kernel(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                            double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    y[i] = 0.0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      y[i] += val[e] * x[col[e]];
    }
  }
}

// residual = before - product.
__global__ void subtract(int n, const double* before, const double* product, double* residual) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) residual[i] = before[i] - product[i];
}

__global__ void precondition(int n, const double* inverse_diagonal, const double* residual,
                             double* preconditioned) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) preconditioned[i] = inverse_diagonal[i] * residual[i];
}

// direction = preconditioned + beta direction.
__global__ void turn(int n, double beta, const double* preconditioned, double* direction) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) direction[i] = preconditioned[i] + beta * direction[i];
}

// One step of length alpha along the direction, for the solution and for its residual.
__global__ void advance(int n, double alpha, const double* direction, const double* product, double* heat,
                        double* residual) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    heat[i] += alpha * direction[i];
    residual[i] -= alpha * product[i];
  }
}

// The right-hand side: what was there, and what the sources give.
__global__ void heat_up(int n, double dt, const double* heat, const double* source, double* before) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) before[i] = heat[i] + dt * source[i];
}

// A sum for each block.
__global__ void dot_parts(int n, const double* x, const double* y, double* partial) {
  __shared__ double part[threads];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  part[threadIdx.x] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = part[0];
}

double dot(System& system, const double* x, const double* y) {
  dot_parts<<<sums, threads>>>(system.rows, x, y, system.partial.data());
  system.partial.download();
  double sum = 0;
  for (double part : system.partial.host) sum += part;
  return sum;
}

}  // namespace

int implicit_step(System& system, double dt, double tolerance, int most) {
  const int n = system.rows, blocks = (n + threads - 1) / threads;
  double *heat = system.heat.data(), *before = system.before.data(), *residual = system.residual.data(),
         *preconditioned = system.preconditioned.data(), *direction = system.direction.data(),
         *product = system.product.data();
  heat_up<<<blocks, threads>>>(n, dt, heat, system.source.data(), before);
  spmv_kernel<<<blocks, threads>>>(n, system.row_ptr.data(), system.col.data(), system.val.data(), heat, product);
  subtract<<<blocks, threads>>>(n, before, product, residual);
  precondition<<<blocks, threads>>>(n, system.inverse_diagonal.data(), residual, preconditioned);
  copy<<<blocks, threads>>>(n, preconditioned, direction);
  const double enough = tolerance * tolerance * dot(system, before, before);
  double weight = dot(system, residual, preconditioned);
  int iterations = 0;
  while (iterations < most && !(dot(system, residual, residual) <= enough)) {
    ++iterations;
    spmv_kernel<<<blocks, threads>>>(n, system.row_ptr.data(), system.col.data(), system.val.data(), direction,
                                     product);
    const double alpha = weight / dot(system, direction, product);
    advance<<<blocks, threads>>>(n, alpha, direction, product, heat, residual);
    precondition<<<blocks, threads>>>(n, system.inverse_diagonal.data(), residual, preconditioned);
    const double last = weight;
    weight = dot(system, residual, preconditioned);
    turn<<<blocks, threads>>>(n, weight / last, preconditioned, direction);
  }
  return iterations;
}
