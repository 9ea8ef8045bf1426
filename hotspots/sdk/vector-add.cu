// Sum of two vectors: out = a + b.
__global__ void vector_add_kernel(int n, const float* a, const float* b, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

extern "C" void vector_add(int n, const float* a, const float* b, float* out, mep_stream_t stream) {
  vector_add_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, b, out);
}
