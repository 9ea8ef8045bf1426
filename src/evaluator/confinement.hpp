// What compilers and candidates of one MEP may reach, from the restrictions in force and the toolchain.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/confinement.hpp"

namespace noctune {

// The restrictions that are switched on one by one. Limits on time, memory and output always hold.
struct SandboxLevel {
  bool files = true;     // Landlock for files,
  bool shm = true;       // candidates' /dev/shm, where MPI's shared memory is, among them
  bool outreach = true;  // Landlock for network and signals
  bool calls = true;     // seccomp

  bool operator==(const SandboxLevel&) const = default;
};

class SandboxRules {
 public:
  // `flags` are the user's: folders they name are readable. `private_folder` holds other candidates' sources:
  // no rule reaches it as a whole. `device_files` of a GPU are open to candidates.
  SandboxRules(SandboxLevel level, const std::string& compiler, const std::vector<std::string>& flags,
               const std::filesystem::path& private_folder, std::vector<std::string> device_files = {});

  // Writes in `folder` alone; reads the toolchain and the given files.
  Confinement for_compiler(const std::filesystem::path& folder, std::vector<std::string> files) const;
  // Writes nowhere; reads libraries and the given files, and may remove what lies in `run_folder`.
  Confinement for_candidate(const std::filesystem::path& run_folder, std::vector<std::string> files) const;
  // A candidate under a profiler, whose folders are readable: it starts processes, talks to them and keeps
  // its files in `run_folder`.
  Confinement for_profiled(const std::filesystem::path& run_folder, std::vector<std::string> files,
                           const std::vector<std::string>& profiler_folders) const;

 private:
  SandboxLevel level_;
  std::vector<std::string> device_files_;
  std::filesystem::path private_folder_;
  std::vector<std::string> compiler_reads_, candidate_reads_;
};

}  // namespace noctune
