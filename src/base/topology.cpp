#include "base/topology.hpp"

#include <hwloc.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>

namespace noctune {
namespace {

struct TopologyFree {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, TopologyFree>;

enum class InputOutput { left_out, included };

Topology load_topology(InputOutput devices = InputOutput::left_out) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc cannot start");
  Topology topology(raw);
  if (devices == InputOutput::included) {  // counts only before the load
    hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
    // Their plugins would start the GPUs' run times in this process.
    hwloc_topology_set_type_filter(raw, HWLOC_OBJ_OS_DEVICE, HWLOC_TYPE_FILTER_KEEP_NONE);
    // The kernel's files name the devices too; libpciaccess would read every vendor's names first, and never
    // free them.
    hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "pci");
  }
  if (hwloc_topology_load(raw) != 0) throw std::runtime_error("hwloc cannot read this machine's topology");
  return topology;
}

long long cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
  return cache ? static_cast<long long>(cache->attr->cache.size) : 0;
}

// Flags of the first processor in /proc/cpuinfo; widest SIMD unit from them.
int simd_bytes(std::string& model) {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  int width = 16;
  while (std::getline(info, line) && !line.empty()) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.rfind("model name", 0) == 0) model = line.substr(colon + 2);
    if (line.rfind("flags", 0) != 0) continue;
    if (line.find(" avx ") != std::string::npos) width = 32;
    if (line.find(" avx512f ") != std::string::npos) width = 64;
  }
  return width;
}

std::vector<int> cpus_of(hwloc_const_cpuset_t set) {
  std::vector<int> out;
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) out.push_back(cpu);
  return out;
}

std::vector<int> near_by_hwloc(const std::string& pci) {
  try {
    const Topology topology = load_topology(InputOutput::included);
    const hwloc_obj_t device = hwloc_get_pcidev_by_busidstring(topology.get(), pci.c_str());
    const hwloc_obj_t place = device ? hwloc_get_non_io_ancestor_obj(topology.get(), device) : nullptr;
    return place && place->cpuset ? cpus_of(place->cpuset) : std::vector<int>();
  } catch (const std::exception&) {
    return {};  // the kernel's files are left
  }
}

std::vector<int> near_by_kernel(const std::filesystem::path& device) {
  std::ifstream file(device / "local_cpulist");
  std::string line;
  return std::getline(file, line) ? parse_cpu_list(line) : std::vector<int>();
}

std::vector<int> both(const std::vector<int>& cpus, const std::vector<int>& allowed) {
  const std::set<int> known(allowed.begin(), allowed.end());
  std::vector<int> out;
  std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(out), [&](int cpu) { return known.count(cpu); });
  return out;
}

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> out;
  for (int count = 1024; count <= 1 << 20; count *= 4) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(count));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    const bool good = sched_getaffinity(0, size, set) == 0;
    for (int cpu = 0; good && cpu < count; ++cpu)
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, set)) out.push_back(cpu);
    CPU_FREE(set);
    if (good) break;
  }
  return out;
}

void pin_thread(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  const auto count = static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  cpu_set_t* set = CPU_ALLOC(count);
  CPU_ZERO_S(CPU_ALLOC_SIZE(count), set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), CPU_ALLOC_SIZE(count), set);
  sched_setaffinity(0, CPU_ALLOC_SIZE(count), set);  // a refusal costs quiet, not correctness
  CPU_FREE(set);
}

HostFacts read_host() {
  const Topology topology = load_topology();
  HostFacts host;
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  host.name = name;
  host.vector_bytes = simd_bytes(host.cpu_model);
  host.l1_bytes = cache_bytes(topology.get(), HWLOC_OBJ_L1CACHE);
  host.l2_bytes = cache_bytes(topology.get(), HWLOC_OBJ_L2CACHE);
  host.last_level_cache_bytes = std::max(cache_bytes(topology.get(), HWLOC_OBJ_L3CACHE), host.l2_bytes);
  const int cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE);
  for (int i = 0; i < cores; ++i) {
    const hwloc_obj_t object =
        hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_CORE, static_cast<unsigned>(i));
    CpuCore core;
    core.numa = object->nodeset ? std::max(0, hwloc_bitmap_first(object->nodeset)) : 0;
    core.cpus = cpus_of(object->cpuset);
    if (!core.cpus.empty()) host.cores.push_back(std::move(core));
  }
  std::stable_sort(host.cores.begin(), host.cores.end(),
                   [](const CpuCore& a, const CpuCore& b) { return a.numa < b.numa; });
  return host;
}

std::vector<int> cpus_near(const std::string& pci, const std::vector<int>& allowed,
                           const std::filesystem::path& pci_devices) {
  if (pci.empty() || pci.find('/') != std::string::npos) return allowed;
  std::vector<int> near = both(near_by_hwloc(pci), allowed);
  if (near.empty()) near = both(near_by_kernel(pci_devices / pci), allowed);
  return near.empty() ? allowed : near;
}

std::string cpu_list(const std::vector<int>& cpus) {
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t j = i;
    while (j + 1 < cpus.size() && cpus[j + 1] == cpus[j] + 1) ++j;
    out += (out.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (j > i) out += "-" + std::to_string(cpus[j]);
    i = j + 1;
  }
  return out;
}

std::vector<int> parse_cpu_list(const std::string& text) {
  constexpr int most = 1 << 20;  // a nonsensical range must not fill the memory
  std::set<int> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](int& value) {
    const auto [after, bad] = std::from_chars(at, end, value);
    at = after;
    return bad == std::errc() && value >= 0 && value < most;
  };
  while (at < end) {
    int first = 0;
    if (!number(first)) return {};
    int last = first;
    if (at < end && *at == '-' && (++at, !number(last))) return {};
    for (int cpu = first; cpu <= last; ++cpu) out.insert(cpu);
    if (at < end && *at != ',') return {};
    if (at < end && ++at == end) return {};
  }
  return {out.begin(), out.end()};
}

std::string hwloc_version() {
  const unsigned version = hwloc_get_api_version();
  return std::to_string(version >> 16) + "." + std::to_string((version >> 8) & 0xff);
}

}  // namespace noctune
