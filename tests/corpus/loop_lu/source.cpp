// LU factors in place, no pivoting: the caller guarantees a diagonally dominant matrix.
void lu_column(int n, double* a, int k) {
#pragma omp parallel for
  for (int i = k + 1; i < n; i++) a[i * n + k] = a[i * n + k] / a[k * n + k];
}

void lu_update(int n, double* a, int k) {
#pragma omp parallel for
  for (int i = k + 1; i < n; i++)
    for (int j = k + 1; j < n; j++) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

/* for (int k = 0; k < n; k++) {
 *   lu_column(n, a, k);
 *   lu_update(n, a, k);
 * }
 */
