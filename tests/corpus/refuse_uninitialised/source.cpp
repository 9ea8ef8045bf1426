// Two sweeps of a one-dimensional filter. The first never writes the ends of `line`, the second reads them.
void sharpen(int n, const double* in, double* line, double* out) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i) line[i] = 0.25 * (in[i - 1] + 2 * in[i] + in[i + 1]);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const double left = line[i > 0 ? i - 1 : 0];
    const double right = line[i < n - 1 ? i + 1 : n - 1];
    out[i] = in[i] + 0.5 * (in[i] - 0.5 * (left + right));
  }
}

// double* line = (double*)malloc(n * sizeof(double));
// sharpen(n, in, line, out);
// free(line);
