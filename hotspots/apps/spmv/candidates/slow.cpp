// All products first, then their sums: every entry goes through memory twice more.
#include <vector>

extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y) {
  const int entries = row_ptr[rows];
  std::vector<double> products(entries);
#pragma omp parallel for
  for (int e = 0; e < entries; ++e) products[e] = val[e] * x[col[e]];
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    y[i] = 0.0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) y[i] += products[e];
  }
}
