#include "evaluator/gpu_discovery.hpp"

#include <cstdlib>

namespace noctune {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? std::optional<std::string>(text) : std::nullopt;
}

}  // namespace

std::optional<GpuVendor> gpu_vendor(const std::string& backend) {
  if (backend == "cuda") return GpuVendor::nvidia;
  if (backend == "hip")  // HIP's own variable, as hipcc reads it
    return variable("HIP_PLATFORM") == "nvidia" ? GpuVendor::nvidia : GpuVendor::amd;
  return std::nullopt;
}

GpuMasks masks_of_environment() {
  return {variable("CUDA_VISIBLE_DEVICES"), variable("ROCR_VISIBLE_DEVICES"), variable("HIP_VISIBLE_DEVICES"),
          variable("CUDA_DEVICE_ORDER")};
}

FoundGpus find_gpus(const std::string& backend, const GpuLibraryPaths& paths) {
  FoundGpus out;
  const std::optional<GpuVendor> vendor = gpu_vendor(backend);
  if (!vendor) return out;
  GpuLibraryPaths asked = paths;
  (*vendor == GpuVendor::nvidia ? asked.rocm_smi : asked.nvml).clear();
  const GpuManagement gpus(asked);
  VisibleGpus visible = visible_gpus(gpus.devices(), masks_of_environment(), *vendor);
  out.notes = gpus.problems();
  out.notes.insert(out.notes.end(), visible.notes.begin(), visible.notes.end());
  out.visible = std::move(visible.devices);
  for (const GpuInfo& device : out.visible)
    if (std::vector<int> processes = gpus.processes(device); !processes.empty())
      out.used_by[gpu_key(device)] = std::move(processes);
  return out;
}

GpuFacts gpu_facts(const GpuInfo& device) {
  GpuFacts out;
  out.uuid = device.uuid;
  out.pci = device.pci;
  out.architecture = device.architecture;
  out.driver = device.driver;
  out.memory_bytes = device.memory_bytes;
  out.index = device.index;
  out.minor = device.minor;
  out.mig = device.mig;
  return out;
}

GpuInfo gpu_info(const DeviceFacts& facts) {
  GpuInfo out;
  out.vendor = gpu_vendor(facts.backend).value_or(GpuVendor::nvidia);
  out.name = facts.name;
  out.uuid = facts.gpu.uuid;
  out.pci = facts.gpu.pci;
  out.architecture = facts.gpu.architecture;
  out.driver = facts.gpu.driver;
  out.memory_bytes = facts.gpu.memory_bytes;
  out.index = facts.gpu.index;
  out.minor = facts.gpu.minor;
  out.mig = facts.gpu.mig;
  return out;
}

}  // namespace noctune
