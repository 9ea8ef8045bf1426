// transpose by hand: 32 x 32 tiles through shared memory, so that reads and writes both run along rows. A
// column more than needed keeps the turned reads free of bank conflicts.
namespace {

constexpr int tile = 32;
constexpr int rows_at_once = 8;

}  // namespace

__global__ void __launch_bounds__(tile* rows_at_once)
    transpose_tiles(int rows, int cols, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float kept[tile][tile + 1];
  const int col0 = blockIdx.x * tile, row0 = blockIdx.y * tile;
  const int j = col0 + threadIdx.x;
#pragma unroll
  for (int step = 0; step < tile; step += rows_at_once) {
    const int r = step + threadIdx.y;
    if (row0 + r < rows && j < cols) kept[r][threadIdx.x] = in[static_cast<size_t>(row0 + r) * cols + j];
  }
  __syncthreads();
  const int i = row0 + threadIdx.x;
#pragma unroll
  for (int step = 0; step < tile; step += rows_at_once) {
    const int r = step + threadIdx.y;
    if (col0 + r < cols && i < rows) out[static_cast<size_t>(col0 + r) * rows + i] = kept[threadIdx.x][r];
  }
}

extern "C" void transpose(int rows, int cols, const float* in, float* out, mep_stream_t stream) {
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  transpose_tiles<<<grid, dim3(tile, rows_at_once), 0, stream>>>(rows, cols, in, out);
}
