#include "app/gpu_check.hpp"

#include <unistd.h>

#include <cerrno>

#include "base/text.hpp"
#include "base/topology.hpp"
#include "evaluator/gpu_discovery.hpp"
#include "evaluator/gpu_lock.hpp"
#include "evaluator/gpu_throttle.hpp"

namespace noctune {
namespace {

using Kind = GpuFinding::Kind;
using Findings = std::vector<GpuFinding>;

std::string device_text(const GpuInfo& device) {
  std::string out = device.name + ", " + (device.uuid.empty() ? "without a UUID" : device.uuid) + ", at " +
                    device.pci + ", " + bytes_text(static_cast<double>(device.memory_bytes));
  if (!device.architecture.empty())
    out += (device.vendor == GpuVendor::nvidia ? ", compute capability " : ", ") + device.architecture;
  if (!device.driver.empty()) out += ", driver " + device.driver;
  return out + "; near cpus " + cpu_list(cpus_near(device.pci, allowed_cpus()));
}

std::string state_text(const GpuState& state) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (state.sm_clock_hz >= 0) add(fixed(1e-6 * state.sm_clock_hz, 0) + " MHz");
  if (state.temperature_c >= 0) add(fixed(state.temperature_c, 0) + " C");
  if (state.power_w >= 0) add(fixed(state.power_w, 1) + " W");
  if (state.energy_mj >= 0) add("counts its energy");
  if (state.throttle >= 0) {
    const std::string reasons = throttle_text(state.throttle);
    add(reasons.empty() ? "not throttled" : "throttled: " + reasons);
  }
  return out.empty() ? "its library tells nothing" : out;
}

void add_lock(const GpuInfo& device, const std::filesystem::path& folder, Findings& findings) {
  try {
    const GpuLock lock(gpu_key(device), folder);
    if (lock.is_free()) {
      findings.push_back({Kind::good, " lock", "free: no other noctune of yours measures there"});
    } else {
      findings.push_back({Kind::lacking, " lock", lock.holder() + "; this run would wait for its turns"});
    }
  } catch (const std::exception& refused) {
    findings.push_back({Kind::bad, " lock", refused.what()});
  }
}

void add_files(const GpuInfo& device, Findings& findings) {
  for (const std::string& file : gpu_device_files(device))
    if (::access(file.c_str(), R_OK | W_OK) != 0)
      findings.push_back(
          {Kind::lacking, " file", file + ": " + errno_text(errno) + "; kernels may not run without it"});
}

void add_device(const GpuManagement& gpus, const GpuInfo& device, const std::filesystem::path& locks,
                Findings& findings) {
  findings.push_back({Kind::good, "gpu", device_text(device)});
  const GpuState state = gpus.state(device);
  findings.push_back({throttle_effect(state.throttle) == ThrottleEffect::dropped ? Kind::lacking : Kind::good,
                      " state", state_text(state)});
  add_files(device, findings);
  add_lock(device, locks, findings);
  for (const int pid : gpus.processes(device))
    findings.push_back({Kind::lacking, " alone",
                        "process " + std::to_string(pid) + " computes there too: times cannot be trusted"});
}

}  // namespace

std::vector<GpuFinding> check_gpus(const std::string& backend, const GpuLibraryPaths& paths,
                                   const std::filesystem::path& locks) {
  Findings findings;
  const std::optional<GpuVendor> needed = gpu_vendor(backend);
  GpuLibraryPaths asked = paths;
  if (needed == GpuVendor::nvidia) asked.rocm_smi.clear();
  if (needed == GpuVendor::amd) asked.nvml.clear();
  const GpuManagement gpus(asked);
  bool any = false;
  std::string why;
  const auto because = [&](const std::string& text) { why += (why.empty() ? "" : "; ") + text; };
  for (const std::string& problem : gpus.problems()) because(problem);
  for (const GpuVendor vendor : {GpuVendor::nvidia, GpuVendor::amd}) {
    const VisibleGpus visible = visible_gpus(gpus.devices(), masks_of_environment(), vendor);
    for (const GpuInfo& device : visible.devices) add_device(gpus, device, locks, findings);
    any = any || !visible.devices.empty();
    for (const std::string& note : visible.notes) {
      if (visible.devices.empty()) {
        because(note);
      } else {
        findings.push_back({Kind::lacking, "gpus", note});
      }
    }
  }
  if (!any && needed) findings.push_back({Kind::bad, "gpus", "none for the backend " + backend + ": " + why});
  if (!any && !needed) findings.push_back({Kind::lacking, "gpus", "none, so openmp alone: " + why});
  return findings;
}

}  // namespace noctune
