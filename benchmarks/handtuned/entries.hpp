// The kernels of hotspots/ (original_*) and their hand-tuned versions (tuned_*); see the kernels' own
// comments.
#pragma once

extern "C" {
using Gemm = void(int m, int n, int k, double alpha, double beta, const double* A, const double* B,
                  double* C);
using TwoMm = void(int m, int n, int k, int l, double alpha, double beta, const double* A, const double* B,
                   const double* C, double* D, double* T);
using Atax = void(int m, int n, const double* A, const double* x, double* y, double* t);
using Bicg = void(int m, int n, const double* A, const double* p, const double* r, double* q, double* s);
using Mvt = void(int n, const double* A, const double* y1, const double* y2, double* x1, double* x2);
using Gesummv = void(int n, double alpha, double beta, const double* A, const double* B, const double* x,
                     double* y);
using Syrk = void(int n, int k, double alpha, double beta, const double* A, double* C);
using Jacobi2d = void(int steps, int n, double* A, double* B);
using Fdtd2d = void(int steps, int nx, int ny, double* ex, double* ey, double* hz, const double* source);
using Doitgen = void(int nr, int nq, int np, double* A, const double* C, double* sum);
using SpmvCsr = void(int rows, const int* row_ptr, const int* col, const double* val, const double* x,
                     double* y);
using Nbody = void(int n, float softening, const float* position, const float* mass, float* acceleration);
using Histogram = void(int n, int bins, int range, const int* readings, int* counts);
using Conv2d = void(int height, int width, const float* image, const float* weight, float* out);

Gemm original_gemm, tuned_gemm;
TwoMm original_two_mm, tuned_two_mm;
Atax original_atax, tuned_atax;
Bicg original_bicg, tuned_bicg;
Mvt original_mvt, tuned_mvt;
Gesummv original_gesummv, tuned_gesummv;
Syrk original_syrk, tuned_syrk;
Jacobi2d original_jacobi_2d, tuned_jacobi_2d;
Doitgen original_doitgen, tuned_doitgen;
Nbody original_nbody, tuned_nbody;
Conv2d original_conv2d, tuned_conv2d;
Fdtd2d original_fdtd_2d;
SpmvCsr original_spmv_csr;
Histogram original_histogram;
}
