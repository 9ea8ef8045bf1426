// Two columns at a time, to go through the rest half as often; the second row of U is used before the first
// one was taken off it.
extern "C" void lu(int n, float* A) {
  int k = 0;
  for (; k + 1 < n - 1; k += 2) {
    float* first = A + k * n;
    float* second = first + n;
    for (int j = k + 1; j < n; ++j) first[j] /= first[k];
    second[k + 1] -= second[k] * first[k + 1];
    for (int j = k + 2; j < n; ++j) second[j] /= second[k + 1];
#pragma omp parallel for
    for (int i = k + 2; i < n; ++i) {
      float* row = A + i * n;
      row[k + 1] -= row[k] * first[k + 1];
      for (int j = k + 2; j < n; ++j) row[j] -= row[k] * first[j] + row[k + 1] * second[j];
    }
  }
  if (k < n - 1) {
    A[k * n + k + 1] /= A[k * n + k];
    A[(k + 1) * n + k + 1] -= A[(k + 1) * n + k] * A[k * n + k + 1];
  }
}
