// Which environment variables untrusted programs get to see.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/process.hpp"
#include "base/secrets.hpp"

extern char** environ;

namespace noctune {
namespace {

using Names = std::vector<std::string_view>;

const Names& candidate_names() {
  static const Names names{
      "PATH", "LD_LIBRARY_PATH", "TZ", "LANG",
      // toolkit roots
      "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "NVHPC_ROOT", "ROCM_PATH", "ROCM_HOME", "HIP_PATH",
      "HIP_PLATFORM", "HIP_CLANG_PATH", "HSA_PATH", "DTKROOT", "ONEAPI_ROOT", "MKLROOT",
      // device visibility and how devices are driven
      "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MODULE_LOADING", "CUDA_MPS_PIPE_DIRECTORY",
      "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "HSA_OVERRIDE_GFX_VERSION",
      "HSA_ENABLE_SDMA", "HSA_XNACK", "NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES",
      // threads of the common mathematics libraries
      "MKL_NUM_THREADS", "MKL_DYNAMIC", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"};
  return names;
}

const Names& candidate_prefixes() {
  static const Names prefixes{"OMP_", "GOMP_", "KMP_"};
  return prefixes;
}

// Launchers and batch systems: with these a child believes that it is a rank, and hangs or aborts.
const Names& launcher_prefixes() {
  static const Names prefixes{"OMPI_", "OPAL_", "ORTE_",    "PRTE_",   "PMIX_",   "PMI_",   "HYD",
                              "MPI_",  "MPIR_", "MPIEXEC_", "MPICH_",  "MPIRUN_", "I_MPI_", "MV2_",
                              "UCX_",  "SLURM", "SRUN_",    "SBATCH_", "SALLOC_", "SPANK_", "PBS_",
                              "LSB_",  "LSF_",  "FLUX_",    "PALS_",   "ALPS_",   "SGE_",   "NOCTUNE_"};
  return prefixes;
}

// What MPI's compiler wrappers and find modules read, although it has a launcher's prefix.
const Names& wrapper_names() {
  static const Names names{"OMPI_CC",       "OMPI_CXX",     "OMPI_FC",   "OMPI_CFLAGS", "OMPI_CXXFLAGS",
                           "OMPI_CPPFLAGS", "OMPI_LDFLAGS", "OMPI_LIBS", "OPAL_PREFIX", "MPICH_CC",
                           "MPICH_CXX",     "MPICH_FC",     "I_MPI_CC",  "I_MPI_CXX",   "I_MPI_FC",
                           "I_MPI_ROOT",    "MPI_HOME",     "MPI_ROOT",  "MPI_DIR"};
  return names;
}

bool listed(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool starts_with_any(const Names& prefixes, std::string_view name) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.starts_with(p); });
}

bool candidate_may_see(std::string_view name, std::string_view) {
  return listed(candidate_names(), name) || starts_with_any(candidate_prefixes(), name);
}

bool compiler_may_see(std::string_view name, std::string_view value) {
  // A proxy often names its user and password; compilers need no network.
  if (name == "PMI" || is_proxy(name) || may_hold_secret(name, value)) return false;
  return listed(wrapper_names(), name) || !starts_with_any(launcher_prefixes(), name);
}

bool application_may_see(std::string_view name, std::string_view value) {
  return !may_hold_secret(name, value) && !name.starts_with("NOCTUNE_");
}

std::string_view name_of(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

void set_entry(std::vector<std::string>& environment, std::string entry) {
  const auto same = [&](const std::string& other) { return name_of(other) == name_of(entry); };
  const auto found = std::find_if(environment.begin(), environment.end(), same);
  if (found != environment.end())
    *found = std::move(entry);
  else
    environment.push_back(std::move(entry));
}

std::vector<std::string> filtered(bool (*may_see)(std::string_view, std::string_view),
                                  std::vector<std::string> extra) {
  std::vector<std::string> out{"PATH=/usr/local/bin:/usr/bin:/bin"};
  for (char** at = environ; at && *at; ++at) {
    const std::string_view entry(*at);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    if (may_see(entry.substr(0, equals), entry.substr(equals + 1))) set_entry(out, std::string(entry));
  }
  set_entry(out, "LC_ALL=C");  // diagnostics in English, plain quotes, points as decimal signs
  for (std::string& entry : extra) set_entry(out, std::move(entry));
  return out;
}

}  // namespace

std::vector<std::string> candidate_environment(std::vector<std::string> extra) {
  return filtered(candidate_may_see, std::move(extra));
}

std::vector<std::string> compiler_environment(std::vector<std::string> extra) {
  return filtered(compiler_may_see, std::move(extra));
}

std::vector<std::string> application_environment(std::vector<std::string> extra) {
  return filtered(application_may_see, std::move(extra));
}

std::string sandbox_helper_path() {
  namespace fs = std::filesystem;
  const char* chosen = std::getenv("NOCTUNE_SANDBOX");
  if (chosen && *chosen) return chosen;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path beside = folder / "noctune-sandbox";
  const fs::path installed = folder.parent_path() / "libexec" / "noctune" / "noctune-sandbox";
  return fs::exists(installed, error) && !fs::exists(beside, error) ? installed : beside;
}

}  // namespace noctune
