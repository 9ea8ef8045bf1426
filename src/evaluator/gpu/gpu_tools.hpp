// What lies around a GPU compiler: its toolkit's root, the environment it needs, and where the toolkit's
// other programs are looked for.
#pragma once

#include <string>
#include <vector>

namespace noctune {

// The root that the environment names (CUDA_HOME, ROCM_PATH, DTKROOT, ...), else PREFIX of PREFIX/bin/nvcc.
std::string toolkit_root(const std::string& backend, const std::string& compiler_file,
                         const std::vector<std::string>& environment);

// `environment` without variables that add flags or targets behind our back (NVCC_APPEND_FLAGS,
// HIPCC_COMPILE_FLAGS_APPEND, ...): the results would not say so. NVCC_CCBIN stays: it is the site's choice.
std::vector<std::string> gpu_compiler_environment(const std::string& backend,
                                                  std::vector<std::string> environment);

// Programs beside the compiler, by purpose: "sanitizer", "profiler", "disassembler", "devices". In the order
// of preference; empty where the backend has none.
std::vector<std::string> gpu_programs(const std::string& backend, const std::string& purpose);

// Files to try for one of them, after PATH. A folder named "*" stands for every folder there, newest last.
std::vector<std::string> gpu_program_places(const std::string& program, const std::string& root);

}  // namespace noctune
