// Covariance of m variables over n observations; data[i * m + j] is observation i of variable j.
typedef double real;

__global__ void column_means(int m, int n, const real* data, real* mean) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    mean[j] = 0.0;
    for (int i = 0; i < n; ++i) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
}

__global__ void centre(int m, int n, real* data, const real* mean) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) data[i * m + j] -= mean[j];
}

__global__ void products(int m, int n, const real* data, real* cov) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m) {
    for (int j2 = j1; j2 < m; ++j2) {
      real sum = 0.0;
      for (int i = 0; i < n; ++i) sum += data[i * m + j1] * data[i * m + j2];
      sum /= n - 1;
      cov[j1 * m + j2] = sum;
      cov[j2 * m + j1] = sum;
    }
  }
}

void covariance(int m, int n, real* data, real* mean, real* cov) {
  dim3 block(32, 8);
  column_means<<<(m + 255) / 256, 256>>>(m, n, data, mean);
  centre<<<dim3((m + 31) / 32, (n + 7) / 8), block>>>(m, n, data, mean);
  products<<<(m + 255) / 256, 256>>>(m, n, data, cov);
}
