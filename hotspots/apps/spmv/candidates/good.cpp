// The sum stays in a register, and the matrix is asked for well before it is needed: it comes as one stream,
// but short rows hide that from the processor. What is asked for beyond its end does no harm.
extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y) {
  constexpr int ahead = 128;  // entries
#pragma omp parallel for schedule(static)
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      __builtin_prefetch(val + e + ahead);
      __builtin_prefetch(col + e + 2 * ahead);
      sum += val[e] * x[col[e]];
    }
    y[i] = sum;
  }
}
