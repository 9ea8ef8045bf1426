#include "base/gpu_management.hpp"

#include <cstdio>

#include "base/nvml.hpp"
#include "base/rocm_smi.hpp"

namespace noctune {

std::string pci_address(const std::string& text) {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%8x:%2x:%2x.%1x%c", &domain, &bus, &device, &function, &rest) != 4)
    return {};
  char out[32];
  std::snprintf(out, sizeof out, "%04x:%02x:%02x.%x", domain, bus, device, function);
  return out;
}

GpuManagement::GpuManagement(const GpuLibraryPaths& paths) {
  if (!paths.nvml.empty()) add(open_nvml(paths.nvml));
  if (!paths.rocm_smi.empty()) add(open_rocm_smi(paths.rocm_smi, paths.kfd, paths.dri));
}

void GpuManagement::add(Result<std::unique_ptr<GpuLibrary>> opened) {
  if (!opened) {
    problems_.push_back(opened.error().text());
    return;
  }
  std::vector<GpuInfo> found = (*opened)->devices();
  devices_.insert(devices_.end(), found.begin(), found.end());
  libraries_.push_back(std::move(*opened));
}

const GpuLibrary* GpuManagement::library_of(const GpuInfo& device) const {
  for (const auto& library : libraries_)
    if (library->vendor() == device.vendor) return library.get();
  return nullptr;
}

GpuState GpuManagement::state(const GpuInfo& device) const {
  const GpuLibrary* library = library_of(device);
  return library ? library->state(device) : GpuState{};
}

std::vector<int> GpuManagement::processes(const GpuInfo& device) const {
  const GpuLibrary* library = library_of(device);
  return library ? library->processes(device) : std::vector<int>{};
}

}  // namespace noctune
