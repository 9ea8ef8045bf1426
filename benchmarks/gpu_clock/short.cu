// A few microseconds of multiply-adds on little data: four warps for every scheduler of 132 multiprocessors,
// one dependent chain a thread. Every step gives the input again, exactly.
__global__ void short_kernel(int n, const float* in, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float pull = 0.5f * in[i];
  float value = in[i];
#pragma unroll 32
  for (int k = 0; k < 1536; ++k) value = 0.5f * value + pull;
  out[i] = value;
}

extern "C" void short_entry(int n, const float* in, float* out, mep_stream_t stream) {
  short_kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, in, out);
}
