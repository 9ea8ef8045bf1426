// Histogram of n values from 0 to 255, in two steps: each block counts 1024 of them into bins of its own, then the
// blocks' bins are added up. A block's bins lie in part one block after the other.
__global__ void block_counts(int n, const unsigned int* values, unsigned int* part) {
  __shared__ unsigned int bins[256];
  int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  int first = 1024 * blockIdx.x;
  for (int i = first + t; i < first + 1024 && i < n; i += 256) {
    atomicAdd(&bins[values[i]], 1u);
  }
  __syncthreads();
  part[256 * blockIdx.x + t] = bins[t];
}

__global__ void add_blocks(int blocks, const unsigned int* part, unsigned int* counts) {
  int bin = threadIdx.x;
  unsigned int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    sum += part[256 * b + bin];
  }
  counts[bin] = sum;
}

extern "C" void histogram(int n, const unsigned int* values, unsigned int* part, unsigned int* counts,
                          mep_stream_t stream) {
  int blocks = (n + 1023) / 1024;
  block_counts<<<blocks, 256, 0, stream>>>(n, values, part);
  add_blocks<<<1, 256, 0, stream>>>(blocks, part, counts);
}
