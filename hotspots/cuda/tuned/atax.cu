// atax by hand: two passes over A, both coalesced and without atomics, so that the sums are the same in every
// run. The second pass goes up from the last row, which the first one left in the cache.
#ifdef __HIP__
#define SHUFFLE_DOWN(value, lanes) __shfl_down(value, lanes, 32)
#else
#define SHUFFLE_DOWN(value, lanes) __shfl_down_sync(0xffffffffu, value, lanes, 32)
#endif

// t = A x: one row for each group of 32 lanes. `whole` promises rows of 2k elements on 16 bytes.
template <bool whole>
__global__ void __launch_bounds__(256) times_x(int m, int n, const double* __restrict__ A,
                                               const double* __restrict__ x, double* __restrict__ t) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  double sum = 0.0;
  if (row < m) {
    const double* a = A + static_cast<size_t>(row) * n;
    if (whole) {
      const double2* pairs = reinterpret_cast<const double2*>(a);
      const double2* others = reinterpret_cast<const double2*>(x);
      double second = 0.0;
#pragma unroll 8
      for (int j = lane; j < n / 2; j += 32) {
        const double2 p = pairs[j], q = others[j];
        sum += p.x * q.x;
        second += p.y * q.y;
      }
      sum += second;
    } else {
#pragma unroll 8
      for (int j = lane; j < n; j += 32) sum += a[j] * x[j];
    }
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += SHUFFLE_DOWN(sum, lanes);
  if (row < m && lane == 0) t[row] = sum;
}

// y = A^T t: 32 columns a block, their rows dealt out to 32 groups of lanes, whose sums meet in shared
// memory.
__global__ void __launch_bounds__(1024)
    transpose_times_t(int m, int n, const double* __restrict__ A, const double* __restrict__ t,
                      double* __restrict__ y) {
  __shared__ double sums[32][33];
  const int lane = threadIdx.x, group = threadIdx.y;
  const int column = blockIdx.x * 32 + lane;
  double sum = 0.0;
  if (column < n) {
    const double* a = A + column;
#pragma unroll 8
    for (int i = m - 1 - group; i >= 0; i -= 32) sum += a[static_cast<size_t>(i) * n] * t[i];
  }
  sums[group][lane] = sum;
  __syncthreads();
  sum = sums[lane][group];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += SHUFFLE_DOWN(sum, lanes);
  const int done = blockIdx.x * 32 + group;
  if (lane == 0 && done < n) y[done] = sum;
}

extern "C" void atax(int m, int n, const double* A, const double* x, double* y, double* t,
                     mep_stream_t stream) {
  const size_t both = reinterpret_cast<size_t>(A) | reinterpret_cast<size_t>(x);
  if (both % 16 == 0 && n % 2 == 0)
    times_x<true><<<(m + 7) / 8, 256, 0, stream>>>(m, n, A, x, t);
  else
    times_x<false><<<(m + 7) / 8, 256, 0, stream>>>(m, n, A, x, t);
  transpose_times_t<<<(n + 31) / 32, dim3(32, 32), 0, stream>>>(m, n, A, t, y);
}
