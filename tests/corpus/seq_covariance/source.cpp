// Covariance of m variables over n observations; data[i * m + j] is observation i of variable j.
typedef double real;

void column_means(int m, int n, const real* data, real* mean) {
#pragma omp parallel for
  for (int j = 0; j < m; ++j) {
    mean[j] = 0.0;
    for (int i = 0; i < n; ++i) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
}

void centre(int m, int n, real* data, const real* mean) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) data[i * m + j] -= mean[j];
}

void products(int m, int n, const real* data, real* cov) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int j1 = 0; j1 < m; ++j1)
    for (int j2 = j1; j2 < m; ++j2) {
      real sum = 0.0;
      for (int i = 0; i < n; ++i) sum += data[i * m + j1] * data[i * m + j2];
      sum /= n - 1;
      cov[j1 * m + j2] = sum;
      cov[j2 * m + j1] = sum;
    }
}
