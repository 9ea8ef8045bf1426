// histogram by hand: every 32 lanes count into bins of their own in shared memory and read four keys at once;
// a block adds its bins to the result at its end.
namespace {

constexpr int bins = 256;
constexpr int threads = 256;
constexpr int groups = threads / 32;
constexpr int most_blocks = 1056;  // eight on each of 132 multiprocessors

}  // namespace

__global__ void zero(int* counts) {
  counts[threadIdx.x] = 0;
}

template <bool whole>
__global__ void __launch_bounds__(threads) count(int n, const unsigned int* __restrict__ keys, int* counts) {
  __shared__ int found[groups][bins];
  for (int g = 0; g < groups; ++g) found[g][threadIdx.x] = 0;
  __syncthreads();
  int* mine = found[threadIdx.x / 32];
  const int stride = gridDim.x * threads;
  const int first = blockIdx.x * threads + threadIdx.x;
  const int vectors = whole ? n / 4 : 0;
#pragma unroll 4
  for (int i = first; i < vectors; i += stride) {
    const uint4 four = reinterpret_cast<const uint4*>(keys)[i];
    atomicAdd(&mine[four.x & 255u], 1);
    atomicAdd(&mine[four.y & 255u], 1);
    atomicAdd(&mine[four.z & 255u], 1);
    atomicAdd(&mine[four.w & 255u], 1);
  }
  for (int i = 4 * vectors + first; i < n; i += stride) atomicAdd(&mine[keys[i] & 255u], 1);
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int g = 0; g < groups; ++g) sum += found[g][threadIdx.x];
  if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);
}

extern "C" void histogram(int n, const unsigned int* keys, int* counts, mep_stream_t stream) {
  const int wanted = (n + 4 * threads - 1) / (4 * threads);
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  zero<<<1, bins, 0, stream>>>(counts);
  if (reinterpret_cast<size_t>(keys) % 16 == 0)
    count<true><<<blocks, threads, 0, stream>>>(n, keys, counts);
  else
    count<false><<<blocks, threads, 0, stream>>>(n, keys, counts);
}
