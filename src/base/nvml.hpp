// NVIDIA's management library behind GpuLibrary.
#pragma once

#include "base/gpu_library.hpp"

namespace noctune {

// The first of `names` that loads and answers.
Result<std::unique_ptr<GpuLibrary>> open_nvml(const std::vector<std::string>& names);

}  // namespace noctune
