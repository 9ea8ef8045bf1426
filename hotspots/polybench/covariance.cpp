// Covariance of m variables from n observations. data is n x m, an observation a row; cov is m x m.
//   cov(a, b) = sum over i of (data(i, a) - mean(a)) (data(i, b) - mean(b)) / (n - 1).
// The means are taken off data on the way.
extern "C" void covariance(int m, int n, float* data, float* mean, float* cov) {
#pragma omp parallel for
  for (int j = 0; j < m; ++j) {
    mean[j] = 0.0f;
    for (int i = 0; i < n; ++i) {
      mean[j] += data[i * m + j];
    }
    mean[j] /= n;
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      data[i * m + j] -= mean[j];
    }
  }
#pragma omp parallel for
  for (int a = 0; a < m; ++a) {
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
