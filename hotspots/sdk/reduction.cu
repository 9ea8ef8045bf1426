// Sum of n unsigned numbers modulo 2^32, in two steps: each block adds up 256 of them into partial, then one block adds
// those. Any order gives the same bits.
__global__ void block_sums(int n, const unsigned int* in, unsigned int* partial) {
  __shared__ unsigned int sums[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 128; distance > 0; distance /= 2) {
    if (t < distance) sums[t] += sums[t + distance];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sums[0];
}

__global__ void total(int blocks, const unsigned int* partial, unsigned int* out) {
  __shared__ unsigned int sums[256];
  int t = threadIdx.x;
  sums[t] = 0;
  for (int b = t; b < blocks; b += 256) {
    sums[t] += partial[b];
  }
  __syncthreads();
  for (int distance = 128; distance > 0; distance /= 2) {
    if (t < distance) sums[t] += sums[t + distance];
    __syncthreads();
  }
  if (t == 0) out[0] = sums[0];
}

extern "C" void reduction(int n, const unsigned int* in, unsigned int* partial, unsigned int* out,
                          mep_stream_t stream) {
  int blocks = (n + 255) / 256;
  block_sums<<<blocks, 256, 0, stream>>>(n, in, partial);
  total<<<1, 256, 0, stream>>>(blocks, partial, out);
}
