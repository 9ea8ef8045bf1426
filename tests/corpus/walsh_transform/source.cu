// Fast Walsh-Hadamard transform in place; n is a power of two, at least 512. Not normalised.
__global__ void butterflies(float* data, int step) {
  const unsigned int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned int group = tid % step;
  const unsigned int pair = (tid / step) * 2 * step + group;
  const float a = data[pair], b = data[pair + step];
  data[pair] = a + b;
  data[pair + step] = a - b;
}

void walsh_transform(float* data, int n) {
  for (int step = 1; step < n; step <<= 1) butterflies<<<n / 512, 256>>>(data, step);
}
