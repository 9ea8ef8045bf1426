// Tries one thing that confined children may not do: trespass WHAT [ARGUMENT]. Prints errno and exits with 0
// where it could, 3 where it was refused, 4 where it failed for another reason.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* argument = "";

using Attempt = std::function<long()>;  // negative with errno: it failed

long open_and_read(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  char byte = 0;
  return fd < 0 ? -1 : ::read(fd, &byte, 1);
}

long of_parent(const char* name) {
  return open_and_read("/proc/" + std::to_string(::getppid()) + "/" + name);
}

long list_folder() {
  return ::opendir(argument) ? 0 : -1;
}

long execute() {
  char* const arguments[] = {const_cast<char*>(argument), nullptr};
  char* const environment[] = {nullptr};
  return ::execve(argument, arguments, environment);
}

long read_parent_memory() {
  char there = 0, here = 0;
  iovec local{&here, 1}, remote{&there, 1};
  return ::process_vm_readv(::getppid(), &local, 1, &remote, 1, 0);
}

// Nobody listens there; being told so is enough.
long reachable(long result) {
  return result < 0 && (errno == ECONNREFUSED || errno == ENOENT || errno == EAGAIN) ? 0 : result;
}

long connect_tcp() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return reachable(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address));
}

long send_udp() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0) return -1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&address), sizeof address);
}

long connect_unix(bool abstract) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path + (abstract ? 1 : 0), argument, sizeof address.sun_path - 2);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(argument) + 1);
  return reachable(::connect(fd, reinterpret_cast<sockaddr*>(&address), size));
}

// What a GPU's run-time library does.
long listen_unix() {
  const int fd = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
  if (fd < 0) return -1;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const int bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address),
                           sizeof(sa_family_t));  // a name of the kernel's choice
  return bound < 0 ? bound : ::listen(fd, 1);
}

long make_pair() {
  int ends[2];
  return ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

// A process that ends at once, made by `make`.
long process_by(const std::function<long()>& make) {
  const long pid = make();
  if (pid == 0) ::_exit(0);
  if (pid > 0) ::waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return pid;
}

long fork_by_clone3() {
  struct {
    std::uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
  } wanted{};
  wanted.exit_signal = SIGCHLD;
  return process_by([&] { return ::syscall(435, &wanted, sizeof wanted); });
}

// SIGURG does nothing to those who do not expect it.
long signal_by_descriptor() {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  return ::fcntl(ends[0], F_SETOWN, ::getppid());
}

long queue_to_parent() {
  union sigval value {};
  return ::sigqueue(::getppid(), SIGURG, value);
}

long limit_parent() {
  rlimit limit{};
  return ::prlimit(::getppid(), RLIMIT_CORE, nullptr, &limit);
}

long run_threads() {
  int sum = 0;
  std::vector<std::thread> threads;
  std::vector<int> parts(4);
  for (int i = 0; i < 4; ++i) threads.emplace_back([&parts, i] { parts[static_cast<std::size_t>(i)] = i; });
  for (std::thread& thread : threads) thread.join();
  for (const int part : parts) sum += part;
  return sum == 6 ? 0 : -1;
}

long load_plugin() {
  void* const plugin = ::dlopen(argument, RTLD_NOW);
  if (!plugin) std::puts(::dlerror());
  return plugin ? 0 : -1;
}

long allocate_much() {
  std::vector<char> memory(256 << 20, 'x');
  std::printf("%zu\n", memory.size());
  return 0;
}

long foreign_call() {
#if defined(__x86_64__)
  long result = 20;  // getpid, as 32-bit programs call it
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return result;
#else
  ::raise(SIGSYS);
  return 0;
#endif
}

long call(long number, long a = 0, long b = 0, long c = 0) {
  return ::syscall(number, a, b, c, 0L, 0L);
}

const std::map<std::string, Attempt>& attempts() {
  static const std::map<std::string, Attempt> all{
      // files
      {"read", [] { return open_and_read(argument); }},
      {"write", [] { return ::open(argument, O_WRONLY | O_CREAT, 0600); }},
      {"truncate", [] { return ::truncate(argument, 0); }},
      {"remove", [] { return ::unlink(argument); }},
      {"make-folder", [] { return ::mkdir(argument, 0700); }},
      {"list", list_folder},
      {"execute", execute},
      {"own-process", [] { return open_and_read("/proc/self/stat"); }},
      {"parent-environment", [] { return of_parent("environ"); }},
      {"parent-memory", [] { return of_parent("mem"); }},
      {"parent-status", [] { return of_parent("status"); }},
      // other processes
      {"trace", [] { return ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr); }},
      {"vm-read", read_parent_memory},
      {"kill-parent", [] { return ::kill(::getppid(), SIGURG); }},
      {"kill-group", [] { return ::kill(-::getpgid(::getppid()), SIGURG); }},
      {"kill-all", [] { return ::kill(-1, SIGURG); }},  // succeeds even where nobody gets it
      {"tgkill-parent", [] { return call(SYS_tgkill, ::getppid(), ::getppid(), SIGURG); }},
      {"tkill-parent", [] { return call(SYS_tkill, ::getppid(), SIGURG); }},
      {"queue-parent", queue_to_parent},
      {"pidfd-parent", [] { return call(434, ::getppid(), 0); }},
      {"descriptor-owner", signal_by_descriptor},
      {"limit-parent", limit_parent},
      {"priority-of-user", [] { return ::setpriority(PRIO_USER, 0, 0); }},
      {"priority-of-parent", [] { return ::setpriority(PRIO_PROCESS, static_cast<id_t>(::getppid()), 0); }},
      // new processes
      {"fork", [] { return process_by([] { return ::fork(); }); }},
      {"plain-fork", [] { return process_by([] { return ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }); }},
      {"clone3", fork_by_clone3},
      {"system", [] { return ::system("exit 0") == 0 ? 0L : -1L; }},
      {"session", [] { return ::setsid(); }},
      {"group", [] { return ::setpgid(0, 0); }},
      {"namespace", [] { return ::unshare(CLONE_NEWUSER); }},
      {"clone-namespace",
       [] { return process_by([] { return ::syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0); }); }},
      // the network
      {"tcp", connect_tcp},
      {"udp", send_udp},
      {"unix", [] { return connect_unix(false); }},
      {"listen", [] { return listen_unix(); }},
      {"abstract", [] { return connect_unix(true); }},
      {"pair", make_pair},
      // the kernel
      {"uring", [] { return reachable(call(425, 1, 0)); }},
      {"mount", [] { return ::mount("none", argument, "tmpfs", 0, nullptr); }},
      {"keys", [] { return call(SYS_keyctl, 0, -3, 1); }},
      {"counters", [] { return reachable(call(SYS_perf_event_open)); }},
      {"bpf", [] { return call(SYS_bpf, 0, 0, 0); }},
      {"faults", [] { return call(SYS_userfaultfd, 0); }},
      {"shared-memory", [] { return static_cast<long>(::shmget(IPC_PRIVATE, 4096, 0600)); }},
      {"memory-file", [] { return static_cast<long>(::memfd_create("x", 0)); }},
      {"unknown-call", [] { return call(1000); }},
      {"foreign-call", foreign_call},
      // honest work
      {"threads", run_threads},
      {"plugin", load_plugin},
      {"memory", allocate_much},
      {"signal-oneself", [] { return ::kill(::getpid(), SIGURG); }},
      {"abort", []() -> long { std::abort(); }},
      {"nice-oneself", [] { return ::setpriority(PRIO_PROCESS, 0, 5); }},
      {"own-limit", [] {
         rlimit limit{};
         return static_cast<long>(::getrlimit(RLIMIT_CORE, &limit));
       }}};
  return all;
}

bool refused(int error) {
  return error == EPERM || error == EACCES || error == ENOSYS;
}

}  // namespace

int main(int count, char** arguments) {
  const auto found = attempts().find(count > 1 ? arguments[1] : "");
  if (found == attempts().end()) return 64;
  if (count > 2) argument = arguments[2];
  errno = 0;
  const long result = found->second();
  const int error = errno;
  if (result >= 0) return 0;
  std::printf("errno=%d %s\n", error, std::strerror(error));
  return refused(error) ? 3 : 4;
}
