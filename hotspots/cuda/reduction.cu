// Sum of n numbers. Each of 16384 threads adds up one stretch of them into partial, then one thread adds
// those.
__global__ void partial_sums(int n, const float* in, float* partial) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int stretch = (n + threads - 1) / threads;
  float sum = 0.0f;
  for (int k = 0; k < stretch; ++k) {
    int i = thread * stretch + k;
    if (i < n) sum += in[i];
  }
  partial[thread] = sum;
}

__global__ void total(int count, const float* partial, float* out) {
  float sum = 0.0f;
  for (int i = 0; i < count; ++i) {
    sum += partial[i];
  }
  out[0] = sum;
}

extern "C" void reduction(int n, const float* in, float* partial, float* out, mep_stream_t stream) {
  partial_sums<<<64, 256, 0, stream>>>(n, in, partial);
  total<<<1, 1, 0, stream>>>(16384, partial, out);
}
