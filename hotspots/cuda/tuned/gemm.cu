// gemm by hand: 128 x 128 tiles of C per block, 8 x 8 of them per thread in registers, panels of A and B 16
// deep in shared memory. The next panels are fetched into registers while the present ones are multiplied,
// and go to the other half of shared memory, so that one barrier a panel is enough.
namespace {

constexpr int tile = 128;
constexpr int depth = 16;
constexpr int threads = 256;
constexpr int padded = tile + 4;  // A is stored transposed: fewer bank conflicts, rows still on 16 bytes

// Four neighbours of one row; outside the matrix they are 0. `whole` promises rows of 4k elements on 16
// bytes.
template <bool whole>
__device__ __forceinline__ float4 fetch(const float* M, int rows, int cols, int row, int col) {
  float4 four = {0.0f, 0.0f, 0.0f, 0.0f};
  if (row >= rows) return four;
  const float* at = M + static_cast<size_t>(row) * cols + col;
  if (whole) {
    if (col < cols) four = *reinterpret_cast<const float4*>(at);
    return four;
  }
  if (col < cols) four.x = at[0];
  if (col + 1 < cols) four.y = at[1];
  if (col + 2 < cols) four.z = at[2];
  if (col + 3 < cols) four.w = at[3];
  return four;
}

template <bool whole>
__device__ __forceinline__ void store(float* C, int m, int n, int row, int col, float alpha, float beta,
                                      const float* sum) {
  if (row >= m) return;
  float* at = C + static_cast<size_t>(row) * n + col;
  if (whole) {
    if (col < n) {
      float4 c = *reinterpret_cast<float4*>(at);
      c.x = alpha * sum[0] + beta * c.x;
      c.y = alpha * sum[1] + beta * c.y;
      c.z = alpha * sum[2] + beta * c.z;
      c.w = alpha * sum[3] + beta * c.w;
      *reinterpret_cast<float4*>(at) = c;
    }
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (col + j < n) at[j] = alpha * sum[j] + beta * at[j];
    }
  }
}

}  // namespace

template <bool whole>
__global__ void __launch_bounds__(threads, 2)
    gemm_tiles(int m, int n, int k, float alpha, float beta, const float* __restrict__ A,
               const float* __restrict__ B, float* __restrict__ C) {
  __shared__ __align__(16) float a_panel[2][depth][padded];
  __shared__ __align__(16) float b_panel[2][depth][tile];
  const int id = threadIdx.x;
  const int row0 = blockIdx.y * tile;
  const int col0 = blockIdx.x * tile;
  // Each thread fetches two vectors of either panel: rows a_row and a_row + 64 of A, b_row and b_row + 8 of
  // B.
  const int a_row = id / 4, a_col = id % 4 * 4;
  const int b_row = id / 32, b_col = id % 32 * 4;
  // and multiplies rows ty + {0..3, 64..67} by columns tx + {0..3, 64..67} of the tile.
  const int ty = id / 16 * 4, tx = id % 16 * 4;

  float sum[8][8] = {};
  float4 a_next[2], b_next[2];
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    a_next[h] = fetch<whole>(A, m, k, row0 + a_row + 64 * h, a_col);
    b_next[h] = fetch<whole>(B, k, n, b_row + 8 * h, col0 + b_col);
  }
  int half = 0;
  for (int p0 = 0; p0 < k; p0 += depth) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = a_row + 64 * h;
      a_panel[half][a_col][row] = a_next[h].x;
      a_panel[half][a_col + 1][row] = a_next[h].y;
      a_panel[half][a_col + 2][row] = a_next[h].z;
      a_panel[half][a_col + 3][row] = a_next[h].w;
      *reinterpret_cast<float4*>(&b_panel[half][b_row + 8 * h][b_col]) = b_next[h];
    }
    __syncthreads();
    if (p0 + depth < k) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        a_next[h] = fetch<whole>(A, m, k, row0 + a_row + 64 * h, p0 + depth + a_col);
        b_next[h] = fetch<whole>(B, k, n, p0 + depth + b_row + 8 * h, col0 + b_col);
      }
    }
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      float a[8], b[8];
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        *reinterpret_cast<float4*>(a + 4 * h) =
            *reinterpret_cast<const float4*>(&a_panel[half][p][ty + 64 * h]);
        *reinterpret_cast<float4*>(b + 4 * h) =
            *reinterpret_cast<const float4*>(&b_panel[half][p][tx + 64 * h]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    half ^= 1;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = row0 + ty + i % 4 + i / 4 * 64;
    store<whole>(C, m, n, row, col0 + tx, alpha, beta, &sum[i][0]);
    store<whole>(C, m, n, row, col0 + tx + 64, alpha, beta, &sum[i][4]);
  }
}

extern "C" void gemm(int m, int n, int k, float alpha, float beta, const float* A, const float* B, float* C,
                     mep_stream_t stream) {
  const size_t all = reinterpret_cast<size_t>(A) | reinterpret_cast<size_t>(B) | reinterpret_cast<size_t>(C);
  const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
  if (all % 16 == 0 && n % 4 == 0 && k % 4 == 0)
    gemm_tiles<true><<<grid, threads, 0, stream>>>(m, n, k, alpha, beta, A, B, C);
  else
    gemm_tiles<false><<<grid, threads, 0, stream>>>(m, n, k, alpha, beta, A, B, C);
}
