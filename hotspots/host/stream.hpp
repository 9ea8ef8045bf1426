// The stream that an entry on a GPU launches on. Included before a hotspot's source, which names no runtime
// itself.
#pragma once

#if defined(HOST_CUDA)
#include <cuda_runtime.h>
using mep_stream_t = cudaStream_t;
#elif defined(HOST_HIP)
#include <hip/hip_runtime.h>
using mep_stream_t = hipStream_t;
#endif
