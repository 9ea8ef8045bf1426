// Names of the CUDA and HIP interfaces that have no place in a candidate, and why.
#pragma once

#include <string_view>

namespace noctune {

// Why a candidate may not use this name of the CUDA or HIP interfaces ("allocates memory: ..."), or nothing.
// The twins cudaMalloc and hipMalloc have the same reason.
std::string_view gpu_name_reason(std::string_view name);

// The same for an undefined symbol of a plugin: here any call to the runtime that kernels, their launches and
// their attributes do not need has a reason.
std::string_view gpu_symbol_reason(std::string_view symbol);

}  // namespace noctune
