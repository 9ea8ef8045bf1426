// A = L U in place, without pivoting: L with its diagonal below, U with a diagonal of ones above. n x n,
// row-major.
extern "C" void lu(int n, float* A) {
  for (int k = 0; k < n - 1; ++k) {
    for (int j = k + 1; j < n; ++j) {
      A[k * n + j] /= A[k * n + k];
    }
#pragma omp parallel for
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n; ++j) {
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
      }
    }
  }
}
