// Covariance of m variables from n observations. data is n x m, an observation a row; cov is m x m.
//   cov(a, b) = sum over i of (data(i, a) - mean(a)) (data(i, b) - mean(b)) / (n - 1).
// The means are taken off data on the way.
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

__global__ void centre(int m, int n, float* data, const float* mean) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) data[i * m + j] -= mean[j];
}

__global__ void covary(int m, int n, const float* data, float* cov) {
  int a = blockIdx.x * blockDim.x + threadIdx.x;
  if (a < m) {
    for (int b = a; b < m; ++b) {
      cov[a * m + b] = 0.0f;
      for (int i = 0; i < n; ++i) {
        cov[a * m + b] += data[i * m + a] * data[i * m + b];
      }
      cov[a * m + b] /= n - 1;
      cov[b * m + a] = cov[a * m + b];
    }
  }
}

extern "C" void covariance(int m, int n, float* data, float* mean, float* cov, mep_stream_t stream) {
  int blocks = (m + 255) / 256;
  dim3 block(32, 8);
  dim3 grid((m + 31) / 32, (n + 7) / 8);
  column_means<<<blocks, 256, 0, stream>>>(m, n, data, mean);
  centre<<<grid, block, 0, stream>>>(m, n, data, mean);
  covary<<<blocks, 256, 0, stream>>>(m, n, data, cov);
}
