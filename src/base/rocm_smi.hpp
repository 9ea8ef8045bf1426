// AMD's management library behind GpuLibrary; Hygon's has the same functions.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/gpu_library.hpp"

namespace noctune {

// The first of `names` that loads and answers. `kfd` is the driver's folder below /sys, `dri` holds its
// device files.
Result<std::unique_ptr<GpuLibrary>> open_rocm_smi(const std::vector<std::string>& names,
                                                  const std::filesystem::path& kfd,
                                                  const std::filesystem::path& dri);

// "gfx90a" of the driver's gfx_target_version 90010.
std::string gfx_name(long long target_version);

}  // namespace noctune
