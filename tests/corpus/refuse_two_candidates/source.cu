// Two filters that have nothing to do with each other, and nobody says which of them is the hotspot.
__global__ void blur_rows(int width, int height, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x > 0 && x < width - 1)
    out[y * width + x] =
        0.25f * in[y * width + x - 1] + 0.5f * in[y * width + x] + 0.25f * in[y * width + x + 1];
}

__global__ void add_gain(int n, float gain, const double* signal, double* louder) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) louder[i] = gain * signal[i];
}
