// Contraction of the last index of a tensor with a matrix, in place, as in multiresolution analysis:
//   A(r, q, p) = sum over s of A(r, q, s) * C(s, p).
// A is nr x nq x np, C is np x np, row-major; sum holds one line of np elements.
extern "C" void doitgen(int nr, int nq, int np, double* A, const double* C, double* sum) {
  for (int r = 0; r < nr; ++r) {
    for (int q = 0; q < nq; ++q) {
      for (int p = 0; p < np; ++p) {
        sum[p] = 0.0;
        for (int s = 0; s < np; ++s) {
          sum[p] += A[(r * nq + q) * np + s] * C[s * np + p];
        }
      }
      for (int p = 0; p < np; ++p) {
        A[(r * nq + q) * np + p] = sum[p];
      }
    }
  }
}
