#include "evaluator/sandbox_level.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>

#include "base/files.hpp"

namespace noctune {
namespace {

bool has_landlock(const SandboxSupport& support) {
  return support.landlock_version > 0 && support.landlock_error == 0;
}

std::string why_no_landlock(const SandboxState& state) {
  const int error = state.support.landlock_error;
  if (error == EOPNOTSUPP) return "Landlock is switched off in this kernel (" + state.kernel + ")";
  return "no Landlock: " + errno_text(error) + " (kernel " + state.kernel + ")";
}

std::string landlock_remedy(const SandboxSupport& support, const std::string& since) {
  if (support.landlock_error == EOPNOTSUPP) return "boot with landlock in the parameter lsm=";
  if (support.landlock_error == EPERM) return "a container that allows the landlock system calls";
  return "Linux " + since + " or later";
}

std::string name_of(int version) {
  return "Landlock " + std::to_string(version);
}

// In force by Landlock of at least this version, else by the call filter in the words of `instead`.
SandboxPart outreach_part(const SandboxState& state, SandboxPart part, int since,
                          const std::string& linux_version, const std::string& instead) {
  const SandboxSupport& support = state.support;
  if (state.level.outreach && support.landlock_version >= since) {
    part.in_force = true;
    part.detail += " (" + name_of(support.landlock_version) + ")";
    return part;
  }
  part.in_force = state.level.calls;
  part.detail = !has_landlock(support)             ? why_no_landlock(state)
                : support.landlock_version < since ? name_of(support.landlock_version) + " does not know it"
                                                   : "switched off: " + state.trouble;
  if (part.in_force) part.detail = instead + "; " + part.detail;
  part.remedy = !has_landlock(support) || support.landlock_version < since
                    ? landlock_remedy(support, linux_version)
                    : "see what the test kernel says";
  return part;
}

SandboxPart files_part(const SandboxState& state) {
  SandboxPart part{"files", state.level.files, "", ""};
  if (part.in_force) {
    part.detail = "only the toolchain and its own folder can be reached (" +
                  name_of(state.support.landlock_version) + ")";
  } else if (!has_landlock(state.support)) {
    part.detail = why_no_landlock(state);
    part.remedy = landlock_remedy(state.support, "5.13");
  } else {
    part.detail = "switched off: " + state.trouble;
    part.remedy = "name the compiler itself in platform.compiler, not a wrapper with files in your home";
  }
  return part;
}

// LLVM's OpenMP runtime gives up where it cannot leave a note there.
SandboxPart shm_part(const SandboxState& state) {
  SandboxPart part{"shm", state.level.shm, "", ""};
  if (part.in_force) {
    part.detail = "candidates cannot reach shared memory of others (Landlock)";
  } else {
    part.detail = "/dev/shm is open to candidates: " + state.trouble;
    part.remedy = "a compiler whose OpenMP runtime does without it, such as GCC";
  }
  return part;
}

SandboxPart calls_part(const SandboxState& state) {
  SandboxPart part{"calls", state.level.calls, "", ""};
  if (part.in_force) {
    part.detail = "new processes, sockets, tracing and the like are refused (seccomp)";
  } else if (state.support.seccomp_error != 0) {
    part.detail = "no seccomp filter: " + errno_text(state.support.seccomp_error);
    part.remedy = "a kernel with CONFIG_SECCOMP_FILTER, a container that allows seccomp";
  } else {
    part.detail = "switched off: " + state.trouble;
    part.remedy = "see what the test kernel says";
  }
  return part;
}

SandboxPart simple_part(std::string name, int error, std::string good, std::string bad, std::string remedy) {
  if (error == 0) return {std::move(name), true, std::move(good), ""};
  return {std::move(name), false, std::move(bad) + ": " + errno_text(error), std::move(remedy)};
}

}  // namespace

SandboxState full_sandbox(const SandboxSupport& support) {
  SandboxState state;
  state.support = support;
  utsname names{};
  ::uname(&names);
  state.kernel = names.release;
  state.level.files = state.level.shm = has_landlock(support);
  state.level.outreach = has_landlock(support) && support.landlock_version >= landlock_network_version;
  state.level.calls = support.seccomp_error == 0;
  return state;
}

std::vector<SandboxLevel> weaker_levels(const SandboxLevel& level) {
  // What stays, line by line; the loss grows.
  static constexpr SandboxLevel order[] = {
      {true, false, true, true},   {true, true, true, false},   {true, true, false, true},
      {false, false, true, true},  {true, false, true, false},  {true, false, false, true},
      {true, true, false, false},  {false, false, true, false}, {false, false, false, true},
      {true, false, false, false}, {false, false, false, false}};
  std::vector<SandboxLevel> out;
  for (const SandboxLevel& stays : order) {
    const SandboxLevel less{level.files && stays.files, level.shm && stays.shm,
                            level.outreach && stays.outreach, level.calls && stays.calls};
    if (!(less == level) && std::find(out.begin(), out.end(), less) == out.end()) out.push_back(less);
  }
  return out;
}

std::vector<SandboxPart> sandbox_parts(const SandboxState& state) {
  std::vector<SandboxPart> out{files_part(state)};
  if (state.level.files) out.push_back(shm_part(state));
  out.push_back(outreach_part(state, {"network", false, "no connections by TCP", ""},
                              landlock_network_version, "6.7", "sockets are refused by the call filter"));
  out.push_back(outreach_part(state, {"signals", false, "only to processes of its own tree", ""},
                              landlock_signal_version, "6.12",
                              "candidates are held by the call filter, compilers are not"));
  out.push_back(calls_part(state));
  out.push_back(simple_part("privileges", state.support.privileges_error,
                            "set-uid programs gain none (no_new_privs)", "the kernel refuses no_new_privs",
                            "Linux 3.5 or later"));
  out.push_back(simple_part("handles", state.support.pidfd_error, "signals cannot hit a stranger (pidfd)",
                            "no pidfd; a process number that is used again at once could be hit instead",
                            "Linux 5.3 or later"));
  return out;
}

std::string level_text(const SandboxState& state) {
  std::string parts;
  const auto add = [&](bool on, const char* name) {
    if (on) parts += (parts.empty() ? "" : ", ") + std::string(name);
  };
  const int version = state.support.landlock_version;
  add(state.level.files, state.level.shm ? "files" : "files less shm");
  add(state.level.outreach && version >= landlock_network_version, "network");
  add(state.level.outreach && version >= landlock_signal_version, "signals");
  std::string out;
  if (!parts.empty()) out = "landlock " + std::to_string(version) + " (" + parts + ")";
  if (state.level.calls) out += (out.empty() ? "" : " + ") + std::string("seccomp");
  return out.empty() ? "limits only" : out + " + limits";
}

std::string missing_text(const SandboxState& state) {
  std::string out, last;
  for (const SandboxPart& part : sandbox_parts(state)) {
    if (part.in_force) continue;
    if (!last.empty() && part.detail != last) out += " (" + last + ")";
    out += (out.empty() ? "" : ", ") + part.name;
    last = part.detail;
  }
  if (!last.empty()) out += " (" + last + ")";
  return out;
}

}  // namespace noctune
