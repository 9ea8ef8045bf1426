// A list of what is refused, not of what is allowed: compilers and mathematics libraries use whatever their
// system offers, and a call that is newer than the list is answered as by an older kernel. Refused are calls
// that reach other processes, make new kinds of files, talk to others or get at parts of the kernel that no
// kernel of a computation needs. seccomp sees numbers only: paths are Landlock's part.
#include "sandbox/seccomp.hpp"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "base/files.hpp"
#include "sandbox/bpf.hpp"
#include "sandbox/denied_calls.hpp"

namespace noctune {
namespace {

constexpr std::uint32_t namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

using Values = BpfFilter::Values;
using Bits = BpfFilter::Bits;

bool is_candidate(CallFilter kind) {
  return kind == CallFilter::candidate || kind == CallFilter::gpu_candidate;
}

template <std::size_t n>
bool is_one_of(const long (&calls)[n], long call) {
  return std::find(std::begin(calls), std::end(calls), call) != std::end(calls);
}

// Calls that take a process as an argument are left to the process itself.
void judge_targets(BpfFilter& filter, std::uint32_t self) {
  for (long call : calls_on_a_process) filter.judge(call, 0, Values::allowed, {0, self}, EPERM);
  filter.judge(SYS_setpriority, 0, Values::allowed, {PRIO_PROCESS}, EPERM);
  filter.judge(SYS_setpriority, 1, Values::allowed, {0, self}, EPERM);
}

// New threads, but no new processes. clone3 hides its flags in memory, where a filter cannot look; the C
// library falls back to clone when it is missing.
void judge_processes(BpfFilter& filter, CallFilter kind) {
  filter.deny(SYS_clone3, ENOSYS);
  filter.judge(SYS_clone, 0, Bits::refused, namespaces, EPERM);
  if (is_candidate(kind)) filter.judge(SYS_clone, 0, Bits::needed, CLONE_THREAD, EPERM);
}

// abort() and raise() are signals to oneself. A descriptor can be told to send signals, too.
void judge_signals(BpfFilter& filter, std::uint32_t self) {
  for (long call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
    filter.judge(call, 0, Values::allowed, {self}, EPERM);
  filter.judge(SYS_fcntl, 1, Values::refused, {F_SETOWN, F_SETOWN_EX, F_SETSIG}, EPERM);
}

// Code comes from files that were there before: the loader maps it executable, not writable, and no candidate
// can make a file. What is made or changed at run time could rewrite the driver and its clocks.
void judge_code(BpfFilter& filter) {
  for (long call : {SYS_mprotect, SYS_pkey_mprotect}) filter.deny_if_all(call, {{2, PROT_EXEC}}, EPERM);
  filter.deny_if_all(SYS_mmap, {{2, PROT_EXEC}, {3, MAP_ANONYMOUS}}, EPERM);
  filter.deny_if_all(SYS_mmap, {{2, PROT_EXEC}, {2, PROT_WRITE}}, EPERM);
}

std::vector<sock_filter> make_filter(CallFilter kind) {
  BpfFilter filter(newest_call);
  const auto self = static_cast<std::uint32_t>(::getpid());
  const bool gpu = kind == CallFilter::gpu_candidate, profiler = kind == CallFilter::profiler;
  const auto allowed = [&](long call) {
    return (gpu && is_one_of(allowed_on_gpus, call)) || (profiler && is_one_of(allowed_to_profilers, call));
  };
  for (long call : denied_to_all)
    if (!allowed(call)) filter.deny(call, EPERM);
  if (gpu || profiler) filter.judge(SYS_socket, 0, Values::allowed, {AF_UNIX}, EPERM);
  judge_targets(filter, self);
  judge_processes(filter, kind);
  if (is_candidate(kind)) {
    for (long call : denied_to_candidates) filter.deny(call, EPERM);
    judge_signals(filter, self);
    judge_code(filter);
  }
  return filter.finish();
}

// Kernels before 5.16 slow filtered processes down, as a protection of what shares a process with untrusted
// code: a measured process must not be, and nothing shares it. The flag is known since 4.17.
bool install(const sock_fprog& program) {
  constexpr unsigned at_full_speed = 1 << 2;  // SECCOMP_FILTER_FLAG_SPEC_ALLOW
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, at_full_speed, &program) == 0 ||
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace

std::string apply_call_filter(CallFilter filter) {
  if (filter == CallFilter::none) return {};
  std::string problem = "cannot restrict its system calls: ";
  if (native_architecture == 0) return problem + errno_text(errno = ENOTSUP);
  std::vector<sock_filter> program = make_filter(filter);
  const sock_fprog handed{static_cast<unsigned short>(program.size()), program.data()};
  if (install(handed)) return {};
  return problem + errno_text(errno);
}

int try_call_filter() {
  return apply_call_filter(CallFilter::candidate).empty() ? 0 : errno;
}

}  // namespace noctune
