// CUDA's and HIP's run-time interfaces under one spelling: NOCTUNE_API(Malloc) is cudaMalloc or hipMalloc.
// Only for the files that the host build leaves out. A few things are called differently.
#pragma once

#include <cstddef>

#if defined(__HIPCC__) || defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/hip_runtime.h>
#define NOCTUNE_API(name) hip##name
#define NOCTUNE_API_EITHER(cuda_name, hip_name) hip##hip_name
#else
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#define NOCTUNE_API(name) cuda##name
#define NOCTUNE_API_EITHER(cuda_name, hip_name) cuda##cuda_name
#endif

namespace noctune {

using GpuError = NOCTUNE_API(Error_t);
using GpuStream = NOCTUNE_API(Stream_t);
using GpuEvent = NOCTUNE_API(Event_t);
using GpuProperties = NOCTUNE_API_EITHER(DeviceProp, DeviceProp_t);

// Refuses through the report when a call failed: before the plugin's first call that is the driver's fault,
// from then on the plugin's, since errors of the device surface late.
void must(GpuError error, const char* what);
GpuStream gpu_stream();

}  // namespace noctune
