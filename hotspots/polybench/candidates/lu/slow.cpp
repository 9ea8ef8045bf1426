// The pivot row is divided anew for every row below it.
extern "C" void lu(int n, float* A) {
  for (int k = 0; k < n - 1; ++k) {
#pragma omp parallel for
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n; ++j) {
        A[i * n + j] -= A[i * n + k] * (A[k * n + j] / A[k * n + k]);
      }
    }
    for (int j = k + 1; j < n; ++j) {
      A[k * n + j] /= A[k * n + k];
    }
  }
}
