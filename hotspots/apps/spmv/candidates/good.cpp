// Each thread takes rows of about as many entries as the others; a row's sum stays in registers, in four
// parts.
#include <omp.h>

#include <algorithm>

extern "C" void spmv(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y) {
#pragma omp parallel
  {
    const long threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto first_row = [&](long part) {
      const long entry = row_ptr[rows] * part / threads;
      return static_cast<int>(std::lower_bound(row_ptr, row_ptr + rows, entry) - row_ptr);
    };
    const int end_row = thread + 1 == threads ? rows : first_row(thread + 1);
    for (int i = first_row(thread); i < end_row; ++i) {
      const int end = row_ptr[i + 1];
      double a = 0, b = 0, c = 0, d = 0;
      int e = row_ptr[i];
      for (; e + 3 < end; e += 4) {
        a += val[e] * x[col[e]];
        b += val[e + 1] * x[col[e + 1]];
        c += val[e + 2] * x[col[e + 2]];
        d += val[e + 3] * x[col[e + 3]];
      }
      for (; e < end; ++e) a += val[e] * x[col[e]];
      y[i] = (a + b) + (c + d);
    }
  }
}
