// The entries of hotspots/cuda as found and as tuned by hand, compiled for the CPU (CMakeLists.txt).
#pragma once

#include "fakes/cuda_on_cpu.hpp"

using Copy = void(int n, const float* in, float* out, mep_stream_t);
using Gemm = void(int m, int n, int k, float alpha, float beta, const float* A, const float* B, float* C,
                  mep_stream_t);
using Atax = void(int m, int n, const double* A, const double* x, double* y, double* t, mep_stream_t);
using Jacobi2d = void(int steps, int n, double* A, double* B, mep_stream_t);
using Reduction = void(int n, const float* in, float* partial, float* out, mep_stream_t);
using Transpose = void(int rows, int cols, const float* in, float* out, mep_stream_t);
using NBody = void(int n, float softening, const float* position, const float* mass, float* acceleration,
                   mep_stream_t);
using Histogram = void(int n, const unsigned int* keys, int* counts, mep_stream_t);

Copy naive_copy, tuned_copy;
Gemm naive_gemm, tuned_gemm;
Atax naive_atax, tuned_atax;
Jacobi2d naive_jacobi_2d, tuned_jacobi_2d;
Reduction naive_reduction, tuned_reduction;
Transpose naive_transpose, tuned_transpose;
NBody naive_n_body, tuned_n_body;
Histogram naive_histogram, tuned_histogram;
