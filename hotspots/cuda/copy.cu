// Copy: out[i] = in[i], the least that a bandwidth-bound kernel can do.
__global__ void copy_kernel(int n, const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

extern "C" void copy(int n, const float* in, float* out, mep_stream_t stream) {
  copy_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, in, out);
}
