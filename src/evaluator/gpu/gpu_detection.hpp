// Which GPUs a node has, read from what the vendors' programs print.
#pragma once

#include <string>
#include <vector>

namespace noctune {

struct GpuDevice {
  int index = 0;     // in the program's own order
  std::string arch;  // "9.0" as nvidia-smi prints it, "gfx906"; empty where the program does not tell
  std::string uuid;  // empty where unknown
  std::string name;
  std::string pci;  // "0000:19:00.0", lower case; empty where unknown
};

// nvidia-smi --query-gpu=compute_cap,uuid,name,pci.bus_id --format=csv,noheader
std::vector<GpuDevice> read_nvidia_smi(const std::string& text);
std::vector<GpuDevice> read_rocminfo(const std::string& text);
// hy-smi or rocm-smi --showproductname --showbus --showuniqueid: lines such as "HCU[0] : PCI Bus: ...", which
// do not tell the architecture.
std::vector<GpuDevice> read_hy_smi(const std::string& text);

// Each once, in order; what is empty is left out.
std::vector<std::string> architectures_of(const std::vector<GpuDevice>& devices);

// "00000000:19:00.0" as "0000:19:00.0"; empty for what is no PCI address.
std::string plain_pci(const std::string& address);

}  // namespace noctune
