#include "evaluator/gpu/gpu_tools.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace noctune {
namespace {

using Texts = std::vector<std::string>;

std::string value_of(const Texts& environment, const std::string& name) {
  for (const std::string& entry : environment)
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  return {};
}

const Texts& root_names(const std::string& backend) {
  static const Texts cuda = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"};
  static const Texts hip = {"DTKROOT", "ROCM_PATH", "ROCM_HOME", "HIP_PATH"};
  return backend == "cuda" ? cuda : hip;
}

const Texts& hidden_names(const std::string& backend) {
  static const Texts cuda = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
  static const Texts hip = {"HIPCC_COMPILE_FLAGS_APPEND",
                            "HIPCC_LINK_FLAGS_APPEND",
                            "HCC_AMDGPU_TARGET",
                            "HIPCC_VERBOSE",
                            "HIP_PLATFORM",
                            "CCC_OVERRIDE_OPTIONS"};
  return backend == "cuda" ? cuda : hip;
}

struct Purpose {
  std::string_view backend, purpose;
  Texts programs;
};

}  // namespace

std::string toolkit_root(const std::string& backend, const std::string& compiler_file,
                         const Texts& environment) {
  for (const std::string& name : root_names(backend))
    if (const std::string value = value_of(environment, name); value.starts_with('/')) return value;
  const std::filesystem::path folder = std::filesystem::path(compiler_file).parent_path();
  return folder.filename() == "bin" ? folder.parent_path().string() : std::string();
}

Texts gpu_compiler_environment(const std::string& backend, Texts environment) {
  const Texts& hidden = hidden_names(backend);
  environment.erase(std::remove_if(environment.begin(), environment.end(),
                                   [&](const std::string& entry) {
                                     const std::string name = entry.substr(0, entry.find('='));
                                     return std::find(hidden.begin(), hidden.end(), name) != hidden.end();
                                   }),
                    environment.end());
  if (backend == "hip") environment.emplace_back("HIP_PLATFORM=amd");
  return environment;
}

Texts gpu_programs(const std::string& backend, const std::string& purpose) {
  static const std::vector<Purpose> all = {
      {"cuda", "sanitizer", {"compute-sanitizer"}},
      {"cuda", "profiler", {"ncu"}},
      {"cuda", "disassembler", {"cuobjdump"}},
      {"cuda", "devices", {"nvidia-smi"}},
      {"hip", "profiler", {"rocprofv3", "rocprofv2", "rocprof", "hipprof"}},
      {"hip", "disassembler", {"llvm-objdump", "dccobjdump"}},
      {"hip", "devices", {"rocminfo", "hy-smi", "rocm-smi"}},
  };
  for (const Purpose& one : all)
    if (one.backend == backend && one.purpose == purpose) return one.programs;
  return {};
}

Texts gpu_program_places(const std::string& program, const std::string& root) {
  Texts out;
  const auto add = [&](const std::string& folder) { out.push_back(folder + "/" + program); };
  if (!root.empty()) {
    add(root + "/bin");
    if (program == "compute-sanitizer") {
      add(root + "/compute-sanitizer");
      add(root + "/extras/compute-sanitizer");
    }
    if (program.starts_with("llvm-")) add(root + "/llvm/bin");
    if (program == "hipprof" || program == "dccobjdump") add(root + "/hip/bin");
    if (program == "hipprof") add(root + "/hipprof/bin");
  }
  if (program == "ncu") add("/opt/nvidia/nsight-compute/*");
  if (program == "hy-smi") add("/opt/hyhal/bin");
  if (program == "rocminfo" || program == "rocm-smi") add("/opt/rocm/bin");
  return out;
}

}  // namespace noctune
