#include "dense.h"

// y = A x, one warp a row. The matrix is kept row by row without padding.
__global__ void dense_apply(const int nrow, const int ncol, const double *A, const double *x, double *y)
{
  const int lane = threadIdx.x & 31;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (row >= nrow) return;

  double sum = 0.0;
  for (int col = lane; col < ncol; col += 32)
    sum += A[(long)row * ncol + col] * x[col];
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}

// const int threads = 128;
// dense_apply<<<(nrow * 32 + threads - 1) / threads, threads, 0, stream>>>(nrow, ncol, A, x, y);
