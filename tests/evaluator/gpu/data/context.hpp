// As the generated context of a MEP for GPUs: the stream's type and the entry's prototype.
#pragma once
#if defined(__HIP__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
using mep_stream_t = hipStream_t;
#else
#include <cuda_runtime.h>
using mep_stream_t = cudaStream_t;
#endif

extern "C" void smooth(int n, float alpha, const float* x, float* y, double* sums, mep_stream_t stream);
