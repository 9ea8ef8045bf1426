// Correlation of m variables from n observations. data is n x m, an observation a row; corr is m x m.
//   corr(a, b) = sum over i of z(i, a) z(i, b),   z(i, j) = (data(i, j) - mean(j)) / (sqrt(n) stddev(j)).
// data becomes z on the way. A variable with hardly any spread counts as one of spread 1.
#include <cmath>

extern "C" void correlation(int m, int n, float* data, float* mean, float* stddev, float* corr) {
#pragma omp parallel for
  for (int j = 0; j < m; ++j) {
    mean[j] = 0.0f;
    for (int i = 0; i < n; ++i) {
      mean[j] += data[i * m + j];
    }
    mean[j] /= n;
  }
#pragma omp parallel for
  for (int j = 0; j < m; ++j) {
    stddev[j] = 0.0f;
    for (int i = 0; i < n; ++i) {
      stddev[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    }
    stddev[j] = std::sqrt(stddev[j] / n);
    if (stddev[j] <= 0.005f) stddev[j] = 1.0f;
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      data[i * m + j] -= mean[j];
      data[i * m + j] /= std::sqrt(static_cast<float>(n)) * stddev[j];
    }
  }
#pragma omp parallel for
  for (int a = 0; a < m; ++a) {
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
