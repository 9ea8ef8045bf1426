// The vector that a hotspot's context declares, for sources that a test compiles without one.
#pragma once

#ifdef NOCTUNE_CUDA_ON_CPU
#include "fakes/cuda_on_cpu.hpp"
#else
struct alignas(16) float4 {
  float x, y, z, w;
};
#endif
