// What a supervised child may not reach, and what this kernel can keep it from: plain data, shared with
// noctune-sandbox.
#pragma once

#include <string>
#include <vector>

namespace noctune {

// Which system calls are refused; see sandbox/seccomp.cpp.
enum class CallFilter { none, compiler, candidate, gpu_candidate, profiler };

// A child that asks for what the kernel lacks is not started, except that parts of Landlock which an older
// version does not know are left out. Paths that do not exist are skipped; /proc/self is the child's own.
struct Confinement {
  bool files = false;     // Landlock: of all files only those below
  bool outreach = false;  // Landlock: no TCP, no signals and abstract sockets to processes outside its tree
  CallFilter calls = CallFilter::none;
  std::vector<std::string> readable = {};    // may be read and executed, with all below them
  std::vector<std::string> writable = {};    // may be read, written, made and removed, with all below them
  std::vector<std::string> consumable = {};  // folders whose files may be read and removed, but not made
};

// What the helper found out by trying at its start. Errors are errno, 0 where it works.
struct SandboxSupport {
  int landlock_version = 0;
  int landlock_error = 0;
  int seccomp_error = 0;     // ENOTSUP: this processor's calls are not known to the filter
  int privileges_error = 0;  // of no_new_privs
  int pidfd_error = 0;
};

// The first Landlock versions that know each part.
inline constexpr int landlock_network_version = 4, landlock_signal_version = 6;

}  // namespace noctune
