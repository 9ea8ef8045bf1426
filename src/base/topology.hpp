// The processors a process may use, as hwloc sees them (cgroup and Slurm limits included).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace noctune {

struct CpuCore {
  int numa = 0;
  std::vector<int> cpus;  // operating-system indices of its hardware threads that are allowed
};

struct HostFacts {
  std::string name;
  std::string cpu_model;
  long long last_level_cache_bytes = 0;  // as reported; virtual machines exaggerate
  long long l1_bytes = 0, l2_bytes = 0;  // per core, data
  int vector_bytes = 16;                 // widest SIMD registers
  std::vector<CpuCore> cores;            // allowed ones only, ordered by NUMA node
};

HostFacts read_host();
// The calling thread's affinity mask.
std::vector<int> allowed_cpus();
// Restricts the calling thread, and threads it starts later, to these processors.
void pin_thread(const std::vector<int>& cpus);
// Those of `allowed` that are near the device at a PCI address ("0000:65:00.0"): as hwloc tells, else the
// kernel's files. All of them where neither knows, as in virtual machines, or where none of the near ones is
// allowed.
std::vector<int> cpus_near(const std::string& pci, const std::vector<int>& allowed,
                           const std::filesystem::path& pci_devices = "/sys/bus/pci/devices");
// "0-3,8"
std::string cpu_list(const std::vector<int>& cpus);
// And back, in rising order; empty where the text is no such list.
std::vector<int> parse_cpu_list(const std::string& text);
std::string hwloc_version();

}  // namespace noctune
