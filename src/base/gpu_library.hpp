// What a vendor's management library says of a node's GPUs, and the seam behind which each library sits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace noctune {

enum class GpuVendor { nvidia, amd };  // amd: Hygon's DCUs too, whose library has the same functions

// One GPU, or one MIG instance of a GPU that is divided: such a GPU is not listed itself.
struct GpuInfo {
  GpuVendor vendor = GpuVendor::nvidia;
  int index = 0;     // of the GPU among those this process may open, in the library's order
  int handle = 0;    // what the library calls it here; of no meaning elsewhere
  std::string uuid;  // as CUDA_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES take it; empty = it has none
  std::string name;
  std::string pci;           // "0000:65:00.0"
  std::string architecture;  // compute capability "9.0" or "gfx90a"; empty = not known
  long long memory_bytes = 0;
  int minor = -1;  // of its device file: /dev/nvidia<minor>, /dev/dri/renderD<minor>
  bool mig = false;
  std::string driver;  // version
};

// A moment of a GPU. Negative where the library does not tell.
struct GpuState {
  double sm_clock_hz = -1;
  long long throttle = -1;  // NVML's bits, see evaluator/gpu_throttle.hpp
  double temperature_c = -1, power_w = -1;
  double energy_mj = -1;  // since the driver was loaded
};

class GpuLibrary {
 public:
  virtual ~GpuLibrary() = default;
  virtual GpuVendor vendor() const = 0;
  virtual std::vector<GpuInfo> devices() const = 0;
  virtual GpuState state(const GpuInfo& device) const = 0;
  // Process numbers of whoever has a context there, our own children included.
  virtual std::vector<int> processes(const GpuInfo& device) const = 0;
};

// "00000000:3B:00.0" -> "0000:3b:00.0": four digits of domain, lower case. Empty for what is no address.
std::string pci_address(const std::string& text);

}  // namespace noctune
