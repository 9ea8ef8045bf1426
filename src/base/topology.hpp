// The processors a process may use, as hwloc sees them (cgroup and Slurm limits included).
#pragma once

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
// "0-3,8"
std::string cpu_list(const std::vector<int>& cpus);
std::string hwloc_version();

}  // namespace noctune
