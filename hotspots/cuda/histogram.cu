// Histogram of the lowest byte of n keys, as in the first pass of a radix sort.
// counts[b] = number of i with keys[i] % 256 == b.
__global__ void zero(int* counts) {
  counts[threadIdx.x] = 0;
}

__global__ void count(int n, const unsigned int* keys, int* counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[keys[i] & 255u], 1);
}

extern "C" void histogram(int n, const unsigned int* keys, int* counts, mep_stream_t stream) {
  zero<<<1, 256, 0, stream>>>(counts);
  count<<<(n + 255) / 256, 256, 0, stream>>>(n, keys, counts);
}
