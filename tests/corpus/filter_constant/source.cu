#define RADIUS 3
#define DIAMETER (2 * RADIUS + 1)

__constant__ float filter_weights[DIAMETER * DIAMETER];

// The image is padded by RADIUS on every side, the result is not.
__global__ void correlate(const float *padded, float *result, int w, int h)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float sum = 0.0f;
    for (int fy = 0; fy < DIAMETER; fy++)
      for (int fx = 0; fx < DIAMETER; fx++)
        sum += padded[(y + fy) * (w + 2 * RADIUS) + x + fx] * filter_weights[fy * DIAMETER + fx];
    result[y * w + x] = sum;
  }
}

void run_correlate(const float *host_filter, const float *padded, float *result, int w, int h)
{
  cudaMemcpyToSymbol(filter_weights, host_filter, sizeof(float) * DIAMETER * DIAMETER);
  dim3 block(32, 8);
  correlate<<<dim3((w + 31) / 32, (h + 7) / 8), block>>>(padded, result, w, h);
}
