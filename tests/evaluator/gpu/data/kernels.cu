// Kernels with well-known traits: few registers, shared memory, spills, an indexed local array, a function that
// is not inlined, a template, constant memory.
__constant__ float weights[16];

__global__ void scale(int n, float alpha, const float* x, float* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = alpha * x[i] + weights[i & 15];
}

__global__ void block_sum(int n, const float* x, double* sums) {
  __shared__ double part[256];
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 256) sum += static_cast<double>(x[i]);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void __launch_bounds__(1024, 2) spilling(int n, float* y) {
  float values[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) values[k] = y[k * n + threadIdx.x];
  for (int step = 0; step < n; ++step) {
#pragma unroll
    for (int k = 0; k < 96; ++k) values[k] = values[k] * values[(k + 7) % 96] + values[(k + 31) % 96];
  }
#pragma unroll
  for (int k = 0; k < 96; ++k) y[k * n + threadIdx.x] = values[k];
}

__global__ void indexed(int n, const float* x, float* y) {
  float window[64];
  for (int k = 0; k < 64; ++k) window[k] = x[k + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const int at = static_cast<int>(x[k]) & 63;
    sum += window[at];
    window[(at * 7) & 63] = sum;
  }
  y[threadIdx.x] = sum;
}

__device__ __noinline__ float far_away(float v, int n) {
  float out = v;
  for (int k = 0; k < n; ++k) out = out * v + 1.0f / (out + static_cast<float>(k));
  return out;
}

__global__ void calling(int n, float* y) {
  y[threadIdx.x] = far_away(y[threadIdx.x], n);
}

template <class T, int Width>
__global__ void add_all(int n, T* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < Width; ++k)
    if (i * Width + k < n) y[i * Width + k] += T(1);
}

extern "C" void smooth(int n, float alpha, const float* x, float* y, double* sums, mep_stream_t stream) {
  const int blocks = (n + 255) / 256;
  scale<<<blocks, 256, 0, stream>>>(n, alpha, x, y);
  block_sum<<<1, 256, 0, stream>>>(n, x, sums);
  spilling<<<1, 256, 0, stream>>>(n, y);
  indexed<<<1, 256, 0, stream>>>(n, x, y);
  calling<<<1, 256, 0, stream>>>(n, y);
  add_all<float, 4><<<blocks, 256, 0, stream>>>(n, y);
  add_all<double, 2><<<blocks, 256, 0, stream>>>(n, sums);
}
