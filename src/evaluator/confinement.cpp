#include "evaluator/confinement.hpp"

#include <algorithm>

#include "base/process.hpp"
#include "evaluator/toolchain_folders.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

using Paths = std::vector<std::string>;

// What the loader, the C library and OpenMP runtimes look at.
const Paths& run_time_paths() {
  static const Paths paths{"/usr",
                           "/lib",
                           "/lib32",
                           "/lib64",
                           "/libx32",
                           "/opt",
                           "/etc/ld.so.cache",
                           "/etc/ld.so.conf",
                           "/etc/ld.so.conf.d",
                           "/etc/ld.so.preload",
                           "/proc/cpuinfo",
                           "/proc/meminfo",
                           "/proc/sys/vm/overcommit_memory",
                           "/sys/devices/system",
                           "/dev/urandom",
                           "/dev/random"};
  return paths;
}

void append(Paths& to, const Paths& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Paths readable_of(const Paths& wanted, const fs::path& private_folder) {
  Paths out;
  for (const std::string& folder : wanted)
    if (may_be_read(folder, {private_folder}) && std::find(out.begin(), out.end(), folder) == out.end())
      out.push_back(folder);
  return out;
}

Confinement restrictions(SandboxLevel level, CallFilter calls) {
  Confinement out;
  out.files = level.files;
  out.outreach = level.outreach;
  out.calls = level.calls ? calls : CallFilter::none;
  return out;
}

}  // namespace

SandboxRules::SandboxRules(SandboxLevel level, const std::string& compiler, const Paths& flags,
                           const fs::path& private_folder, Paths device_files)
    : level_(level), device_files_(std::move(device_files)), private_folder_(private_folder) {
  const Paths compiling = compiler_environment(), running = candidate_environment();
  Paths tools = installation_of(compiler, path_in(compiling)), to_run = tools;
  append(tools, folders_in(compiling));
  append(to_run, folders_in(running));
  append(tools, folders_in_flags(flags));
  append(to_run, folders_in_flags(flags));
  compiler_reads_ = run_time_paths();
  append(compiler_reads_, {"/bin", "/sbin", "/etc/alternatives"});
  append(compiler_reads_, readable_of(tools, private_folder));
  candidate_reads_ = run_time_paths();
  append(candidate_reads_, {"/proc/self", "/dev/zero"});  // to a compiler, an endless source
  append(candidate_reads_, readable_of(to_run, private_folder));
}

Confinement SandboxRules::for_compiler(const fs::path& folder, Paths files) const {
  Confinement out = restrictions(level_, CallFilter::compiler);
  out.readable = compiler_reads_;
  append(out.readable, files);
  out.writable = {folder.string(), "/dev/null"};
  return out;
}

Confinement SandboxRules::for_candidate(const fs::path& run_folder, Paths files) const {
  const bool gpu = !device_files_.empty();
  Confinement out = restrictions(level_, gpu ? CallFilter::gpu_candidate : CallFilter::candidate);
  out.readable = candidate_reads_;
  append(out.readable, files);
  out.writable = {"/dev/null"};
  append(out.writable, device_files_);
  // A GPU's run-time library writes the names of its threads there; without that CUDA finds no device.
  if (gpu) out.writable.emplace_back("/proc");
  if (!level_.shm) out.writable.emplace_back("/dev/shm");
  out.consumable = {run_folder.string()};
  return out;
}

Confinement SandboxRules::for_profiled(const fs::path& run_folder, Paths files,
                                       const Paths& profiler_folders) const {
  Confinement out = for_candidate(run_folder, std::move(files));
  if (out.calls != CallFilter::none) out.calls = CallFilter::profiler;
  append(out.readable, {"/bin", "/proc"});  // a profiler asks about its children and the driver's modules
  append(out.readable, readable_of(profiler_folders, private_folder_));
  out.consumable.clear();
  out.writable.push_back(run_folder.string());
  return out;
}

}  // namespace noctune
