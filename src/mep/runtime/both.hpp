// Functions marked NOCTUNE_BOTH are compiled for host and device where nvcc or hipcc builds the driver.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define NOCTUNE_GPU 1
#define NOCTUNE_BOTH __host__ __device__
#else
#define NOCTUNE_GPU 0
#define NOCTUNE_BOTH
#endif

#include <cstddef>
#include <cstring>

namespace noctune {

// memcpy for functions of both; HIP's device code knows the compiler's own alone.
NOCTUNE_BOTH inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_memcpy(to, from, bytes);
#else
  memcpy(to, from, bytes);
#endif
}

}  // namespace noctune
