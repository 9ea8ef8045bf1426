// Contraction of the last index of a tensor with a matrix, in place, as in multiresolution analysis:
//   A(r, q, p) = sum over s of A(r, q, s) * C4(s, p).
// A is nr x nq x np, C4 is np x np, row-major; sum is as large as A.
extern "C" void doitgen(int nr, int nq, int np, const float* C4, float* A, float* sum) {
#pragma omp parallel for
  for (int r = 0; r < nr; ++r) {
    for (int q = 0; q < nq; ++q) {
      for (int p = 0; p < np; ++p) {
        sum[(r * nq + q) * np + p] = 0.0f;
        for (int s = 0; s < np; ++s) {
          sum[(r * nq + q) * np + p] += A[(r * nq + q) * np + s] * C4[s * np + p];
        }
      }
      for (int p = 0; p < np; ++p) {
        A[(r * nq + q) * np + p] = sum[(r * nq + q) * np + p];
      }
    }
  }
}
