// A node's GPUs as their management libraries see them: NVML and ROCm SMI, loaded at run time where they are
// there. Nothing here makes a context, so a rank may ask while its children measure. A driver in trouble can
// let any of the calls hang; who cannot wait must ask from a thread or a child.
#pragma once

#include <filesystem>

#include "base/gpu_library.hpp"

namespace noctune {

// Where the libraries are looked for, in order; an empty list leaves that vendor out.
struct GpuLibraryPaths {
  std::vector<std::string> nvml = {"libnvidia-ml.so.1"};
  std::vector<std::string> rocm_smi = {"librocm_smi64.so",
                                       "librocm_smi64.so.7",
                                       "librocm_smi64.so.6",
                                       "librocm_smi64.so.5",
                                       "librocm_smi64.so.1",
                                       "/opt/rocm/lib/librocm_smi64.so",
                                       "/opt/dtk/lib/librocm_smi64.so",
                                       "/opt/hyhal/lib/librocm_smi64.so"};
  std::filesystem::path kfd = "/sys/class/kfd/kfd";  // what AMD's driver tells beside its library
  std::filesystem::path dri = "/dev/dri";            // and its device files
};

class GpuManagement {
 public:
  explicit GpuManagement(const GpuLibraryPaths& paths = {});

  const std::vector<GpuInfo>& devices() const { return devices_; }
  // Why a vendor has no devices here, a sentence each.
  const std::vector<std::string>& problems() const { return problems_; }
  GpuState state(const GpuInfo& device) const;
  std::vector<int> processes(const GpuInfo& device) const;

 private:
  void add(Result<std::unique_ptr<GpuLibrary>> opened);
  const GpuLibrary* library_of(const GpuInfo& device) const;

  std::vector<std::unique_ptr<GpuLibrary>> libraries_;
  std::vector<GpuInfo> devices_;
  std::vector<std::string> problems_;
};

}  // namespace noctune
