#include "dense.h"

// y = A x. The matrix is kept row by row without padding.
extern "C" void dense_apply(const int nrow, const int ncol, const double *A, const double *x, double *y)
{
  #pragma omp parallel for
  for (int row = 0; row < nrow; row++)
  {
    y[row] = 0.0;
    for (int col = 0; col < ncol; col++)
      y[row] += A[(long)row * ncol + col] * x[col];
  }
}
