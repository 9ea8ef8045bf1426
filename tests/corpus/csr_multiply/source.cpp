// y = A x + beta y on a CSR matrix; row_ptr has nrows + 1 entries, column indices are below ncols.
#include <cstddef>

template <typename T>
void csr_multiply(int nrows, int ncols, const int* row_ptr, const int* col_idx, const T* values, const T* x,
                  T beta, T* y) {
#pragma omp parallel for schedule(guided)
  for (int r = 0; r < nrows; ++r) {
    T sum = 0;
    for (int e = row_ptr[r]; e < row_ptr[r + 1]; ++e) sum += values[e] * x[col_idx[e]];
    y[r] = sum + beta * y[r];
  }
}

template void csr_multiply<double>(int, int, const int*, const int*, const double*, const double*, double,
                                   double*);
