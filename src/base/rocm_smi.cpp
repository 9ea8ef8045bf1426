// The few functions of ROCm SMI that are needed, declared here so that no toolkit is. Structures that changed
// between its versions are avoided, or read such that either version is understood. Throttle bits are not
// read: they differ from chip to chip.
#include "base/rocm_smi.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <map>

#include "base/files.hpp"
#include "base/shared_library.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

using Code = int;
constexpr Code success = 0;
constexpr int video_memory = 0, system_clock_kind = 0, edge_sensor = 0, current_value = 0, driver_part = 0;

// Large enough for every version's rsmi_frequencies_t: 32 or 33 frequencies behind a few numbers.
using Frequencies = std::array<std::uint64_t, 64>;

struct Functions {
  Code (*init)(std::uint64_t);
  Code (*shut_down)();
  Code (*error_text)(Code, const char**);
  Code (*count)(std::uint32_t*);
  Code (*pci)(std::uint32_t, std::uint64_t*);
  Code (*name)(std::uint32_t, char*, std::size_t);
  Code (*memory)(std::uint32_t, int, std::uint64_t*);
  // From here on: may be missing.
  Code (*unique_id)(std::uint32_t, std::uint64_t*);
  Code (*render_minor)(std::uint32_t, std::uint32_t*);
  Code (*version)(int, char*, std::uint32_t);
  Code (*clock)(std::uint32_t, int, Frequencies*);
  Code (*temperature)(std::uint32_t, std::uint32_t, int, std::int64_t* millidegrees);
  Code (*average_power)(std::uint32_t, std::uint32_t, std::uint64_t* microwatt);
  Code (*power)(std::uint32_t, std::uint64_t* microwatt, int* kind);
  Code (*energy)(std::uint32_t, std::uint64_t* ticks, float* microjoule_per_tick, std::uint64_t* time);
  Code (*process_gpus)(std::uint32_t, std::uint32_t* indices, std::uint32_t* count);
};

template <class Function>
void load(const SharedLibrary& library, Function*& to, const char* symbol) {
  to = library.function<Function>({symbol});
}

Functions functions_of(const SharedLibrary& library) {
  Functions f{};
  load(library, f.init, "rsmi_init");
  load(library, f.shut_down, "rsmi_shut_down");
  load(library, f.error_text, "rsmi_status_string");
  load(library, f.count, "rsmi_num_monitor_devices");
  load(library, f.pci, "rsmi_dev_pci_id_get");
  load(library, f.name, "rsmi_dev_name_get");
  load(library, f.memory, "rsmi_dev_memory_total_get");
  load(library, f.unique_id, "rsmi_dev_unique_id_get");
  load(library, f.render_minor, "rsmi_dev_drm_render_minor_get");
  load(library, f.version, "rsmi_version_str_get");
  load(library, f.clock, "rsmi_dev_gpu_clk_freq_get");
  load(library, f.temperature, "rsmi_dev_temp_metric_get");
  load(library, f.average_power, "rsmi_dev_power_ave_get");
  load(library, f.power, "rsmi_dev_power_get");
  load(library, f.energy, "rsmi_dev_energy_count_get");
  load(library, f.process_gpus, "rsmi_compute_process_gpus_get");
  return f;
}

std::string pci_of(std::uint64_t id) {
  char out[40];
  std::snprintf(out, sizeof out, "%04x:%02x:%02x.%x", static_cast<unsigned>(id >> 32),
                static_cast<unsigned>((id >> 8) & 0xff), static_cast<unsigned>((id >> 3) & 0x1f),
                static_cast<unsigned>(id & 7));
  return out;
}

// Up to ROCm 5: {number, current, frequencies}; later a flag stands before them. In the older form `current`
// is below `number`, in the newer one the second word is the number, which is not below a flag of 0 or 1.
double current_frequency(const Frequencies& raw) {
  const auto word = [&](std::size_t i) { return static_cast<std::uint32_t>(raw[i / 2] >> (i % 2 ? 32 : 0)); };
  const bool older = word(1) < word(0);
  const std::uint32_t current = older ? word(1) : word(2), number = older ? word(0) : word(1);
  if (current >= number || number > 33) return -1;
  return static_cast<double>(raw[(older ? 1 : 2) + current]);
}

// The numbers of a node's properties file: "key value" a line.
std::map<std::string, long long> properties(const fs::path& file) {
  std::map<std::string, long long> out;
  const std::string text = read_file(file).value_or("");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size()), blank = text.find(' ', at);
    long long value = 0;
    if (blank < end && std::from_chars(text.data() + blank + 1, text.data() + end, value).ec == std::errc())
      out[text.substr(at, blank - at)] = value;
    at = end + 1;
  }
  return out;
}

// By PCI address.
std::map<std::string, std::string> architectures(const fs::path& kfd) {
  std::map<std::string, std::string> out;
  std::error_code error;
  for (const auto& node : fs::directory_iterator(kfd / "topology" / "nodes", error)) {
    std::map<std::string, long long> found = properties(node.path() / "properties");
    if (found["gfx_target_version"] > 0)
      out[pci_of(static_cast<std::uint64_t>(found["domain"]) << 32 |
                 static_cast<std::uint64_t>(found["location_id"]))] = gfx_name(found["gfx_target_version"]);
  }
  return out;
}

class RocmSmi final : public GpuLibrary {
 public:
  RocmSmi(SharedLibrary library, const Functions& functions, fs::path kfd)
      : library_(std::move(library)), f_(functions), kfd_(std::move(kfd)) {}
  ~RocmSmi() override { f_.shut_down(); }

  GpuVendor vendor() const override { return GpuVendor::amd; }
  std::vector<GpuInfo> devices() const override { return devices_; }
  GpuState state(const GpuInfo& device) const override;
  std::vector<int> processes(const GpuInfo& device) const override;

  Result<void> list(const fs::path& dri);
  std::string why(Code code) const;

 private:
  GpuInfo describe(std::uint32_t index, const std::string& driver) const;
  bool uses(std::uint32_t pid, std::uint32_t index) const;

  SharedLibrary library_;
  Functions f_;
  fs::path kfd_;
  std::vector<GpuInfo> devices_;
};

std::string RocmSmi::why(Code code) const {
  const char* text = nullptr;
  return f_.error_text(code, &text) == success && text ? text : "error " + std::to_string(code);
}

GpuInfo RocmSmi::describe(std::uint32_t index, const std::string& driver) const {
  GpuInfo out;
  out.vendor = GpuVendor::amd;
  out.handle = static_cast<int>(index);
  out.driver = driver;
  std::array<char, 128> text{};
  if (f_.name(index, text.data(), text.size() - 1) == success) out.name = text.data();
  std::uint64_t number = 0;
  if (f_.pci(index, &number) == success) out.pci = pci_of(number);
  if (f_.memory(index, video_memory, &number) == success) out.memory_bytes = static_cast<long long>(number);
  if (f_.unique_id && f_.unique_id(index, &number) == success && number != 0) {
    std::snprintf(text.data(), text.size(), "GPU-%016llx", static_cast<unsigned long long>(number));
    out.uuid = text.data();
  }
  std::uint32_t file = 0;
  if (f_.render_minor && f_.render_minor(index, &file) == success) out.minor = static_cast<int>(file);
  return out;
}

// The library lists what a cgroup or a container withholds too; the run time skips it when it counts.
Result<void> RocmSmi::list(const fs::path& dri) {
  std::uint32_t count = 0;
  if (const Code code = f_.count(&count); code != success)
    return fail("ROCm SMI cannot count GPUs", why(code));
  if (count == 0) return fail("ROCm SMI knows of no GPU");
  std::array<char, 96> driver{};
  if (!f_.version || f_.version(driver_part, driver.data(), driver.size() - 1) != success) driver[0] = 0;
  const std::map<std::string, std::string> known = architectures(kfd_);
  int refused = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    GpuInfo device = describe(i, driver.data());
    const fs::path file = dri / ("renderD" + std::to_string(device.minor));
    if (device.minor >= 0 && ::access(file.c_str(), R_OK | W_OK) != 0) {
      refused = errno;
      continue;
    }
    device.index = static_cast<int>(devices_.size());
    if (const auto found = known.find(device.pci); found != known.end()) device.architecture = found->second;
    devices_.push_back(std::move(device));
  }
  if (!devices_.empty()) return {};
  return fail("none of ROCm SMI's " + std::to_string(count) + " GPUs can be opened", errno_text(refused),
              "ask the batch system for a GPU, or the site for the groups video and render");
}

GpuState RocmSmi::state(const GpuInfo& device) const {
  GpuState out;
  const auto index = static_cast<std::uint32_t>(device.handle);
  Frequencies frequencies{};
  if (f_.clock && f_.clock(index, system_clock_kind, &frequencies) == success)
    out.sm_clock_hz = current_frequency(frequencies);
  std::int64_t millidegrees = 0;
  if (f_.temperature && f_.temperature(index, edge_sensor, current_value, &millidegrees) == success)
    out.temperature_c = 1e-3 * static_cast<double>(millidegrees);
  std::uint64_t number = 0, time = 0;
  int kind = 0;
  if ((f_.average_power && f_.average_power(index, 0, &number) == success) ||
      (f_.power && f_.power(index, &number, &kind) == success))
    out.power_w = 1e-6 * static_cast<double>(number);
  float microjoules = 0;
  if (f_.energy && f_.energy(index, &number, &microjoules, &time) == success)
    out.energy_mj = 1e-3 * static_cast<double>(microjoules) * static_cast<double>(number);
  return out;
}

bool RocmSmi::uses(std::uint32_t pid, std::uint32_t index) const {
  std::array<std::uint32_t, 64> indices{};
  auto count = static_cast<std::uint32_t>(indices.size());
  if (f_.process_gpus(pid, indices.data(), &count) != success) return false;
  const auto end = indices.begin() + std::min<std::ptrdiff_t>(count, std::ssize(indices));
  return std::find(indices.begin(), end, index) != end;
}

// The driver has a folder for each process; the library's own list of them changed its form.
std::vector<int> RocmSmi::processes(const GpuInfo& device) const {
  std::vector<int> out;
  std::error_code error;
  if (!f_.process_gpus) return out;
  for (const auto& entry : fs::directory_iterator(kfd_ / "proc", error)) {
    const std::string name = entry.path().filename().string();
    int pid = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad != std::errc() || end != name.data() + name.size() || pid <= 0) continue;
    if (uses(static_cast<std::uint32_t>(pid), static_cast<std::uint32_t>(device.handle))) out.push_back(pid);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::string gfx_name(long long target_version) {
  char out[32];
  std::snprintf(out, sizeof out, "gfx%lld%llx%llx", target_version / 10000, target_version / 100 % 100,
                target_version % 100);
  return out;
}

Result<std::unique_ptr<GpuLibrary>> open_rocm_smi(const std::vector<std::string>& names, const fs::path& kfd,
                                                  const fs::path& dri) {
  Result<SharedLibrary> library = SharedLibrary::open(names);
  if (!library) return Failure(library.error());
  const Functions f = functions_of(*library);
  if (!f.init || !f.shut_down || !f.error_text || !f.count || !f.pci || !f.name || !f.memory)
    return fail(library->name() + " cannot be used", "it lacks functions of ROCm SMI");
  const Code started = f.init(0);
  auto smi = std::make_unique<RocmSmi>(std::move(*library), f, kfd);
  if (started != success) return fail("ROCm SMI does not start", smi->why(started));
  if (Result<void> listed = smi->list(dri); !listed) return Failure(listed.error());
  return smi;
}

}  // namespace noctune
