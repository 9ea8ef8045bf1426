// Small dense systems, one per element, by a library's decomposition.
#include <Eigen/Dense>

void solve_elements(int elements, const double* matrices, const double* rhs, double* solution) {
#pragma omp parallel for
  for (int e = 0; e < elements; ++e) {
    Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> A(matrices + 36 * e);
    Eigen::Map<const Eigen::Matrix<double, 6, 1>> b(rhs + 6 * e);
    Eigen::Map<Eigen::Matrix<double, 6, 1>> x(solution + 6 * e);
    x = A.ldlt().solve(b);
  }
}
