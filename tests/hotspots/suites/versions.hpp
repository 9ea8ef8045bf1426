// The versions of a hotspot under test: its OpenMP form, and on builds that can run it, its GPU form on the
// CPU.
#pragma once

#include <gtest/gtest.h>

#include "hotspots/numbers.hpp"
#ifdef NOCTUNE_CUDA_ON_CPU
#include "fakes/cuda_on_cpu.hpp"
#endif

namespace noctune {

// Calls `body(f)` for each version; f takes the entry's parameters without the stream.
template <class Body, class OpenMp, class Gpu>
void for_each_version(OpenMp* openmp, [[maybe_unused]] Gpu* gpu, const Body& body) {
  {
    SCOPED_TRACE("OpenMP");
    body([&](auto... arguments) { openmp(arguments...); });
  }
#ifdef NOCTUNE_CUDA_ON_CPU
  SCOPED_TRACE("GPU");
  body([&](auto... arguments) { gpu(arguments..., nullptr); });
#endif
}

}  // namespace noctune

// Declares both versions of an entry: SUITE_ENTRY(gemm, int ni, ..., float* C) gives ::gemm and, where it can
// run, gpu_gemm.
#ifdef NOCTUNE_CUDA_ON_CPU
#define SUITE_ENTRY(entry, ...)       \
  extern "C" void entry(__VA_ARGS__); \
  void gpu_##entry(__VA_ARGS__, mep_stream_t stream);
#else
#define SUITE_ENTRY(entry, ...)       \
  extern "C" void entry(__VA_ARGS__); \
  inline constexpr auto gpu_##entry = &entry;
#endif
