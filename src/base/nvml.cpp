// The few functions of NVML that are needed, declared here so that no toolkit is: its interface is C and
// stays compatible within libnvidia-ml.so.1. What an older or cut-down library lacks is left unknown.
#include "base/nvml.hpp"

#include <array>

#include "base/shared_library.hpp"

namespace noctune {
namespace {

using Code = int;
constexpr Code success = 0, no_permission = 4, too_small = 7;
constexpr int sm_clock = 1, gpu_temperature = 0;

using Device = struct NvmlDevice*;
struct Memory {
  unsigned long long total, free, used;
};
struct Pci {
  char legacy_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char id[32];
};
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

struct Functions {
  Code (*init)();
  Code (*shut_down)();
  const char* (*error_text)(Code);
  Code (*count)(unsigned*);
  Code (*by_index)(unsigned, Device*);
  Code (*uuid)(Device, char*, unsigned);
  Code (*name)(Device, char*, unsigned);
  Code (*pci)(Device, Pci*);
  Code (*memory)(Device, Memory*);
  // From here on: may be missing.
  Code (*driver)(char*, unsigned);
  Code (*capability)(Device, int*, int*);
  Code (*minor)(Device, unsigned*);
  Code (*mig_mode)(Device, unsigned* now, unsigned* pending);
  Code (*mig_count)(Device, unsigned*);
  Code (*mig_by_index)(Device, unsigned, Device*);
  Code (*clock)(Device, int, unsigned* mhz);
  Code (*throttle)(Device, unsigned long long*);
  Code (*temperature)(Device, int, unsigned*);
  Code (*power)(Device, unsigned* milliwatt);
  Code (*energy)(Device, unsigned long long* millijoule);
  Code (*processes)(Device, unsigned* count, Process*);
};

template <class Function>
void load(const SharedLibrary& library, Function*& to, std::initializer_list<const char*> symbols) {
  to = library.function<Function>(symbols);
}

Functions functions_of(const SharedLibrary& library) {
  Functions f{};
  load(library, f.init, {"nvmlInit_v2"});
  load(library, f.shut_down, {"nvmlShutdown"});
  load(library, f.error_text, {"nvmlErrorString"});
  load(library, f.count, {"nvmlDeviceGetCount_v2"});
  load(library, f.by_index, {"nvmlDeviceGetHandleByIndex_v2"});
  load(library, f.uuid, {"nvmlDeviceGetUUID"});
  load(library, f.name, {"nvmlDeviceGetName"});
  load(library, f.pci, {"nvmlDeviceGetPciInfo_v3"});
  load(library, f.memory, {"nvmlDeviceGetMemoryInfo"});
  load(library, f.driver, {"nvmlSystemGetDriverVersion"});
  load(library, f.capability, {"nvmlDeviceGetCudaComputeCapability"});
  load(library, f.minor, {"nvmlDeviceGetMinorNumber"});
  load(library, f.mig_mode, {"nvmlDeviceGetMigMode"});
  load(library, f.mig_count, {"nvmlDeviceGetMaxMigDeviceCount"});
  load(library, f.mig_by_index, {"nvmlDeviceGetMigDeviceHandleByIndex"});
  load(library, f.clock, {"nvmlDeviceGetClockInfo"});
  load(library, f.throttle,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  load(library, f.temperature, {"nvmlDeviceGetTemperature"});
  load(library, f.power, {"nvmlDeviceGetPowerUsage"});
  load(library, f.energy, {"nvmlDeviceGetTotalEnergyConsumption"});
  // The third version's structure grew for a while; the second's never changed.
  load(library, f.processes, {"nvmlDeviceGetComputeRunningProcesses_v2"});
  return f;
}

template <std::size_t size>
std::string text_of(std::array<char, size>& buffer, Code code) {
  buffer.back() = 0;
  return code == success ? std::string(buffer.data()) : std::string();
}

class Nvml final : public GpuLibrary {
 public:
  Nvml(SharedLibrary library, const Functions& functions) : library_(std::move(library)), f_(functions) {}
  ~Nvml() override { f_.shut_down(); }

  GpuVendor vendor() const override { return GpuVendor::nvidia; }
  std::vector<GpuInfo> devices() const override { return devices_; }
  GpuState state(const GpuInfo& device) const override;
  std::vector<int> processes(const GpuInfo& device) const override;

  Result<void> list();

 private:
  GpuInfo describe(Device handle) const;
  void add(const GpuInfo& device, Device handle);
  void add_instances(const GpuInfo& whole, Device handle);
  bool divided(Device handle) const {
    unsigned now = 0, pending = 0;
    return f_.mig_mode && f_.mig_count && f_.mig_by_index && f_.mig_mode(handle, &now, &pending) == success &&
           now == 1;
  }
  Device handle_of(const GpuInfo& device) const {
    const auto i = static_cast<std::size_t>(device.handle);
    return device.handle >= 0 && i < handles_.size() ? handles_[i] : nullptr;
  }

  SharedLibrary library_;
  Functions f_;
  std::vector<Device> handles_;
  std::vector<GpuInfo> devices_;
};

GpuInfo Nvml::describe(Device handle) const {
  GpuInfo out;
  std::array<char, 96> text{};
  out.uuid = text_of(text, f_.uuid(handle, text.data(), text.size() - 1));
  out.name = text_of(text, f_.name(handle, text.data(), text.size() - 1));
  if (f_.driver) out.driver = text_of(text, f_.driver(text.data(), text.size() - 1));
  Pci pci{};
  if (f_.pci(handle, &pci) == success) {
    pci.id[sizeof pci.id - 1] = 0;
    out.pci = pci_address(pci.id);
  }
  Memory memory{};
  if (f_.memory(handle, &memory) == success) out.memory_bytes = static_cast<long long>(memory.total);
  int major = 0, minor = 0;
  if (f_.capability && f_.capability(handle, &major, &minor) == success)
    out.architecture = std::to_string(major) + "." + std::to_string(minor);
  unsigned file = 0;
  if (f_.minor && f_.minor(handle, &file) == success) out.minor = static_cast<int>(file);
  return out;
}

void Nvml::add(const GpuInfo& device, Device handle) {
  devices_.push_back(device);
  devices_.back().handle = static_cast<int>(handles_.size());
  handles_.push_back(handle);
}

// Instances have a name, a UUID and memory of their own, all else is the whole GPU's.
void Nvml::add_instances(const GpuInfo& whole, Device handle) {
  unsigned count = 0;
  if (f_.mig_count(handle, &count) != success) return;
  for (unsigned i = 0; i < count; ++i) {
    Device instance = nullptr;
    if (f_.mig_by_index(handle, i, &instance) != success) continue;  // this place is not in use
    const GpuInfo own = describe(instance);
    GpuInfo out = whole;
    out.mig = true;
    out.uuid = own.uuid;
    if (!own.name.empty()) out.name = own.name;
    if (own.memory_bytes > 0) out.memory_bytes = own.memory_bytes;
    add(out, instance);
  }
}

// Devices that a cgroup withholds are counted by the library but cannot be opened; CUDA's numbers skip them.
Result<void> Nvml::list() {
  unsigned count = 0;
  if (const Code code = f_.count(&count); code != success)
    return fail("NVML cannot count GPUs", f_.error_text(code));
  int index = 0;
  Code refused = success;
  for (unsigned i = 0; i < count; ++i) {
    Device handle = nullptr;
    if (const Code code = f_.by_index(i, &handle); code != success) {
      refused = code;
      if (code != no_permission) ++index;  // a broken one keeps its number
      continue;
    }
    GpuInfo device = describe(handle);
    device.index = index++;
    if (divided(handle)) {
      add_instances(device, handle);
    } else {
      add(device, handle);
    }
  }
  if (!devices_.empty()) return {};
  if (count == 0) return fail("NVML knows of no GPU");
  if (refused == success)
    return fail("all GPUs are in MIG mode and none has an instance", "", "ask the site to make some");
  return fail("none of NVML's " + std::to_string(count) + " GPUs can be opened", f_.error_text(refused),
              "ask the batch system for a GPU");
}

GpuState Nvml::state(const GpuInfo& device) const {
  GpuState out;
  const Device handle = handle_of(device);
  if (!handle) return out;
  unsigned number = 0;
  unsigned long long large = 0;
  if (f_.clock && f_.clock(handle, sm_clock, &number) == success) out.sm_clock_hz = 1e6 * number;
  if (f_.throttle && f_.throttle(handle, &large) == success) out.throttle = static_cast<long long>(large);
  if (f_.temperature && f_.temperature(handle, gpu_temperature, &number) == success)
    out.temperature_c = number;
  if (f_.power && f_.power(handle, &number) == success) out.power_w = 1e-3 * number;
  if (f_.energy && f_.energy(handle, &large) == success) out.energy_mj = static_cast<double>(large);
  return out;
}

std::vector<int> Nvml::processes(const GpuInfo& device) const {
  std::vector<int> out;
  const Device handle = handle_of(device);
  if (!handle || !f_.processes) return out;
  std::vector<Process> found(64);
  Code code = too_small;
  unsigned count = 0;
  for (int attempt = 0; attempt < 3 && code == too_small; ++attempt) {  // some may start between two calls
    count = static_cast<unsigned>(found.size());
    code = f_.processes(handle, &count, found.data());
    if (code == too_small && count < 65536) found.resize(count + std::size_t{16});
  }
  if (code != success) return out;
  for (unsigned i = 0; i < count && i < found.size(); ++i) out.push_back(static_cast<int>(found[i].pid));
  return out;
}

}  // namespace

Result<std::unique_ptr<GpuLibrary>> open_nvml(const std::vector<std::string>& names) {
  Result<SharedLibrary> library = SharedLibrary::open(names);
  if (!library) return Failure(library.error());
  const Functions f = functions_of(*library);
  if (!f.init || !f.shut_down || !f.error_text || !f.count || !f.by_index || !f.uuid || !f.name || !f.pci ||
      !f.memory)
    return fail(library->name() + " cannot be used", "it lacks functions of NVML",
                "a driver of 2014 or later has them");
  if (const Code code = f.init(); code != success) return fail("NVML does not start", f.error_text(code));
  auto nvml = std::make_unique<Nvml>(std::move(*library), f);
  if (Result<void> listed = nvml->list(); !listed) return Failure(listed.error());
  return nvml;
}

}  // namespace noctune
