// Correlation of m variables from n observations. data is n x m, an observation a row; corr is m x m.
//   corr(a, b) = sum over i of z(i, a) z(i, b),   z(i, j) = (data(i, j) - mean(j)) / (sqrt(n) stddev(j)).
// data becomes z on the way. A variable with hardly any spread counts as one of spread 1.
__global__ void column_means(int m, int n, const float* data, float* mean) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    mean[j] = 0.0f;
    for (int i = 0; i < n; ++i) {
      mean[j] += data[i * m + j];
    }
    mean[j] /= n;
  }
}

__global__ void column_spreads(int m, int n, const float* data, const float* mean, float* stddev) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    stddev[j] = 0.0f;
    for (int i = 0; i < n; ++i) {
      stddev[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    }
    stddev[j] = sqrtf(stddev[j] / n);
    if (stddev[j] <= 0.005f) stddev[j] = 1.0f;
  }
}

__global__ void standardise(int m, int n, float* data, const float* mean, const float* stddev) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) {
    data[i * m + j] -= mean[j];
    data[i * m + j] /= sqrtf((float)n) * stddev[j];
  }
}

__global__ void correlate(int m, int n, const float* data, float* corr) {
  int a = blockIdx.x * blockDim.x + threadIdx.x;
  if (a < m) {
    corr[a * m + a] = 1.0f;
    for (int b = a + 1; b < m; ++b) {
      corr[a * m + b] = 0.0f;
      for (int i = 0; i < n; ++i) {
        corr[a * m + b] += data[i * m + a] * data[i * m + b];
      }
      corr[b * m + a] = corr[a * m + b];
    }
  }
}

extern "C" void correlation(int m, int n, float* data, float* mean, float* stddev, float* corr, mep_stream_t stream) {
  int blocks = (m + 255) / 256;
  dim3 block(32, 8);
  dim3 grid((m + 31) / 32, (n + 7) / 8);
  column_means<<<blocks, 256, 0, stream>>>(m, n, data, mean);
  column_spreads<<<blocks, 256, 0, stream>>>(m, n, data, mean, stddev);
  standardise<<<grid, block, 0, stream>>>(m, n, data, mean, stddev);
  correlate<<<blocks, 256, 0, stream>>>(m, n, data, corr);
}
