// Starts noctune-sandbox as on a kernel that lacks something: the calls in question fail in it and in all
// that it starts. One program for each of: no Landlock and no handles (NOCTUNE_LACKS_NEWER_CALLS, as
// Linux 4.18), no seccomp (NOCTUNE_LACKS_SECCOMP), no no_new_privs (NOCTUNE_LACKS_PRIVILEGES).
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.hpp"
#include "sandbox/bpf.hpp"

namespace {

std::vector<sock_filter> filter() {
  noctune::BpfFilter calls(UINT32_MAX);
#if defined(NOCTUNE_LACKS_NEWER_CALLS)
  for (long call :
       {444, 445, 446, 434, 424, 436, 435, 437})  // landlock_*, pidfd_*, close_range, clone3, openat2
    calls.deny(call, ENOSYS);
#elif defined(NOCTUNE_LACKS_SECCOMP)
  calls.judge(SYS_prctl, 0, noctune::BpfFilter::Values::refused, {PR_SET_SECCOMP}, EINVAL);
  calls.deny(SYS_seccomp, EINVAL);
#elif defined(NOCTUNE_LACKS_PRIVILEGES)
  calls.judge(SYS_prctl, 0, noctune::BpfFilter::Values::refused, {PR_SET_NO_NEW_PRIVS}, EPERM);
#endif
  return calls.finish();
}

}  // namespace

int main(int, char** arguments) {
  std::vector<sock_filter> program = filter();
  const sock_fprog handed{static_cast<unsigned short>(program.size()), program.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 70;
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &handed, 0, 0) != 0) return 71;
  ::execv(NOCTUNE_BINARY_DIR "/bin/noctune-sandbox", arguments);
  return 72;
}
