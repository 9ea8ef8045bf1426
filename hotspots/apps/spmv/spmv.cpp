// Sparse matrix times vector, y = A x, with A in compressed sparse rows:
// row i holds col[e], val[e] for row_ptr[i] <= e < row_ptr[i + 1]. Rows differ in length.
extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    y[i] = 0.0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      y[i] += val[e] * x[col[e]];
    }
  }
}
