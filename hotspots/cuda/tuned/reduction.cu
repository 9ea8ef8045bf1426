// reduction by hand: one launch. Blocks add up with 16-byte loads and shuffles and leave their sums in
// partial; the last block to finish adds those, always in the same order, so that the result is the same in
// every run.
#ifdef __HIP__
#define SHUFFLE_DOWN(value, lanes) __shfl_down(value, lanes, 32)
#else
#define SHUFFLE_DOWN(value, lanes) __shfl_down_sync(0xffffffffu, value, lanes, 32)
#endif

// Blocks that are done; wraps to 0 with the last one, ready for the next call.
__device__ unsigned int finished = 0;

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 1056;  // eight on each of 132 multiprocessors

// The sum over the block, in its first thread.
__device__ __forceinline__ float block_sum(float sum, float* groups) {
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += SHUFFLE_DOWN(sum, lanes);
  if (threadIdx.x % 32 == 0) groups[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = threadIdx.x < threads / 32 ? groups[threadIdx.x] : 0.0f;
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += SHUFFLE_DOWN(sum, lanes);
  return sum;
}

}  // namespace

template <bool whole>
__global__ void __launch_bounds__(threads)
    sum_all(int n, const float* __restrict__ in, volatile float* partial, float* __restrict__ out) {
  __shared__ float groups[threads / 32];
  __shared__ bool last;
  const int stride = gridDim.x * threads;
  const int first = blockIdx.x * threads + threadIdx.x;
  const int vectors = whole ? n / 4 : 0;
  float4 sums = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
  for (int i = first; i < vectors; i += stride) {
    const float4 four = reinterpret_cast<const float4*>(in)[i];
    sums.x += four.x;
    sums.y += four.y;
    sums.z += four.z;
    sums.w += four.w;
  }
  float sum = (sums.x + sums.y) + (sums.z + sums.w);
#pragma unroll 4
  for (int i = 4 * vectors + first; i < n; i += stride) sum += in[i];

  sum = block_sum(sum, groups);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0.0f;
  for (int i = threadIdx.x; i < static_cast<int>(gridDim.x); i += threads) sum += partial[i];
  sum = block_sum(sum, groups);
  if (threadIdx.x == 0) out[0] = sum;
}

extern "C" void reduction(int n, const float* in, float* partial, float* out, mep_stream_t stream) {
  const int wanted = (n + 4 * threads - 1) / (4 * threads);
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  if (reinterpret_cast<size_t>(in) % 16 == 0)
    sum_all<true><<<blocks, threads, 0, stream>>>(n, in, partial, out);
  else
    sum_all<false><<<blocks, threads, 0, stream>>>(n, in, partial, out);
}
