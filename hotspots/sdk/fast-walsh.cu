// Walsh-Hadamard transform of n values, n a power of two, in natural order, in place and not scaled:
// for distance = 1, 2, 4, ..., n / 2 each pair a, b so far apart becomes a + b, a - b. Values grow up to n-fold.
__global__ void fast_walsh_pass(int n, int distance, float* values) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair < n / 2) {
    int left = pair / distance * 2 * distance + pair % distance;
    float a = values[left];
    float b = values[left + distance];
    values[left] = a + b;
    values[left + distance] = a - b;
  }
}

extern "C" void fast_walsh(int n, float* values, mep_stream_t stream) {
  for (int distance = 1; distance < n; distance *= 2) {
    fast_walsh_pass<<<(n / 2 + 255) / 256, 256, 0, stream>>>(n, distance, values);
  }
}
