// Modified Gram-Schmidt: A = Q R with orthonormal columns of Q and R upper triangular.
// A and Q are ni x nj with ni >= nj, R is nj x nj, all row-major. A is used up; R stays as it was below its
// diagonal.
#include <cmath>

extern "C" void gramschmidt(int ni, int nj, float* A, float* R, float* Q) {
  for (int k = 0; k < nj; ++k) {
    float sum = 0.0f;
    for (int i = 0; i < ni; ++i) {
      sum += A[i * nj + k] * A[i * nj + k];
    }
    R[k * nj + k] = std::sqrt(sum);
    for (int i = 0; i < ni; ++i) {
      Q[i * nj + k] = A[i * nj + k] / R[k * nj + k];
    }
#pragma omp parallel for
    for (int j = k + 1; j < nj; ++j) {
      R[k * nj + j] = 0.0f;
      for (int i = 0; i < ni; ++i) {
        R[k * nj + j] += Q[i * nj + k] * A[i * nj + j];
      }
      for (int i = 0; i < ni; ++i) {
        A[i * nj + j] -= Q[i * nj + k] * R[k * nj + j];
      }
    }
  }
}
