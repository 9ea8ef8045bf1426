#include "sandbox/restrict.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/files.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/newer_calls.hpp"
#include "sandbox/seccomp.hpp"

namespace noctune {
namespace {

int give_up_privileges() {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

int try_landlock() {
  Confinement files;
  files.files = true;
  errno = 0;
  return apply_landlock(files).empty() ? 0 : errno;
}

int try_pidfd() {
  const Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  return self && ::syscall(SYS_pidfd_send_signal, self.get(), 0, nullptr, 0U) == 0 ? 0 : errno;
}

// In a process of its own, which is lost to other work afterwards.
SandboxSupport try_everything() {
  SandboxSupport found;
  found.pidfd_error = try_pidfd();
  found.privileges_error = give_up_privileges();
  found.landlock_version = std::max(landlock_version(), 0);
  found.landlock_error = try_landlock();
  found.seccomp_error = try_call_filter();
  return found;
}

}  // namespace

// A kernel that refuses no_new_privs lets the child start set-uid programs; where the filters work all the
// same, as for root, there is no reason to do without them.
std::string restrict_child(const ChildRequest& request) {
  give_up_privileges();
  std::string bad = apply_landlock(request.confinement);
  if (bad.empty()) bad = apply_call_filter(request.confinement.calls);
  return bad;
}

SandboxSupport find_support() {
  SandboxSupport found;
  found.landlock_error = found.seccomp_error = found.privileges_error = found.pidfd_error = ECHILD;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return found;
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    found = try_everything();
    ::_exit(::write(writer.get(), &found, sizeof found) == sizeof found ? 0 : 1);
  }
  writer.reset();
  SandboxSupport told;
  if (child > 0 && ::read(reader.get(), &told, sizeof told) == sizeof told) found = told;
  if (child > 0) ::waitpid(child, nullptr, 0);
  return found;
}

}  // namespace noctune
