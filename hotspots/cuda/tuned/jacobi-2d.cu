// jacobi-2d by hand: up to five sweeps a launch on a 64 x 64 tile. Each thread holds 16 points of a column in
// registers and meets its neighbours in shared memory. What a sweep cannot know at the tile's rim creeps
// inwards by one point a sweep, so tiles overlap by as many and only their middles are written.
namespace {

constexpr int width = 64;
constexpr int column = 16;
constexpr int columns = width / column;
constexpr int most = 5;  // sweeps a launch

}  // namespace

__global__ void __launch_bounds__(width* columns, 3)
    sweeps(int count, int n, const double* __restrict__ from, double* __restrict__ to) {
  __shared__ double grid[width][width];
  const int tx = threadIdx.x, top = threadIdx.y * column;
  const int middle = width - 2 * count;
  const int j = static_cast<int>(blockIdx.x) * middle - count + tx;
  const int i0 = static_cast<int>(blockIdx.y) * middle - count + top;

  double now[column];
#pragma unroll
  for (int r = 0; r < column; ++r) {
    const int i = i0 + r;
    now[r] = i >= 0 && i < n && j >= 0 && j < n ? from[static_cast<size_t>(i) * n + j] : 0.0;
  }
  const bool moves = tx > 0 && tx < width - 1 && j > 0 && j < n - 1;
  for (int s = 0; s < count; ++s) {
#pragma unroll
    for (int r = 0; r < column; ++r) grid[top + r][tx] = now[r];
    __syncthreads();
    if (moves) {
      double above = top > 0 ? grid[top - 1][tx] : 0.0;
      const double below = top + column < width ? grid[top + column][tx] : 0.0;
#pragma unroll
      for (int r = 0; r < column; ++r) {
        const int i = i0 + r;
        const double old = now[r];
        const double next = r + 1 < column ? now[r + 1] : below;
        const double mean = 0.2 * (old + grid[top + r][tx - 1] + grid[top + r][tx + 1] + next + above);
        if (i > 0 && i < n - 1) now[r] = mean;
        above = old;
      }
    }
    __syncthreads();
  }
  if (tx < count || tx >= width - count || j >= n) return;
#pragma unroll
  for (int r = 0; r < column; ++r) {
    const int i = i0 + r;
    if (top + r >= count && top + r < width - count && i < n) to[static_cast<size_t>(i) * n + j] = now[r];
  }
}

// An even number of launches ends in A; one of no sweeps at all copies.
extern "C" void jacobi_2d(int steps, int n, double* A, double* B, mep_stream_t stream) {
  const dim3 block(width, columns);
  const int launches = 2 * ((steps + 2 * most - 1) / (2 * most));
  double* from = A;
  double* to = B;
  for (int left = launches; left > 0; --left) {
    const int count = (steps + left - 1) / left;
    const int blocks = (n + width - 2 * count - 1) / (width - 2 * count);
    const dim3 grid(blocks, blocks);
    sweeps<<<grid, block, 0, stream>>>(count, n, from, to);
    steps -= count;
    double* last = from;
    from = to;
    to = last;
  }
}
