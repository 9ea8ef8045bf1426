// The GPUs of this node as one rank finds them: asks the libraries and the environment, decides nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/gpu_management.hpp"
#include "evaluator/gpu_devices.hpp"
#include "model/task.hpp"

namespace noctune {

// Whose GPUs a backend needs: nobody's for openmp; NVIDIA's for hip with HIP_PLATFORM=nvidia.
std::optional<GpuVendor> gpu_vendor(const std::string& backend);

// This process's own environment.
GpuMasks masks_of_environment();

struct FoundGpus {
  std::vector<GpuInfo> visible;
  std::vector<std::string> notes;                   // why some are hidden, or why there are none
  std::map<std::string, std::vector<int>> used_by;  // gpu_key() -> processes that have a context there
};

// To be called before the children of this program use a GPU, since `used_by` counts them like others.
// Empty for a backend that needs none.
FoundGpus find_gpus(const std::string& backend, const GpuLibraryPaths& paths = {});

// What results and children need of it, and back.
GpuFacts gpu_facts(const GpuInfo& device);
GpuInfo gpu_info(const DeviceFacts& facts);

}  // namespace noctune
