// A child that does what the sandbox helper must survive: misbehave MODE [ARGUMENT]. One mode per test.
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

extern char** environ;

namespace {

const char* argument = "";

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

void write_pid(pid_t pid) {
  std::FILE* file = std::fopen(argument, "w");
  std::fprintf(file, "%d\n", pid);
  std::fclose(file);
}

int ignore_term() {
  ::signal(SIGTERM, SIG_IGN);
  for (;;) {
  }
}

// Two forks and a session of its own; the first process ends at once.
int daemonise() {
  int ready[2];
  if (::pipe(ready) != 0) return 1;
  if (::fork() == 0) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    ::setsid();
    write_pid(::getpid());
    if (::write(ready[1], "x", 1) != 1) return 1;
    sleep_for_ever();
  }
  char byte = 0;
  return ::read(ready[0], &byte, 1) == 1 ? 0 : 1;
}

int flood() {
  static char block[65536];
  std::memset(block, 'f', sizeof block);
  while (::write(1, block, sizeof block) > 0) {
  }
  return 0;
}

int odd_bytes() {
  const char bytes[] = "plain\r\n\x1b[31mred\x1b[0m \0nul \xff\xfe \xc3\xa9 \xe2\x80\xae tab\tend\n";
  return ::write(1, bytes, sizeof bytes - 1) > 0 ? 0 : 1;
}

int close_everything() {
  for (int fd = 0; fd < 1024; ++fd) ::close(fd);
  sleep_for_ever();
}

void touch(std::size_t bytes) {
  char* memory =
      static_cast<char*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) std::exit(9);
  for (std::size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
}

int allocate() {
  touch(static_cast<std::size_t>(std::atoi(argument)) << 20);
  sleep_for_ever();
}

// Four processes that each stay under the limit.
int allocate_together() {
  for (int i = 0; i < 4; ++i)
    if (::fork() == 0) return allocate();
  sleep_for_ever();
}

// Every process forks another and ends, in a session of its own: no group ever holds them.
int storm() {
  for (;;) {
    const pid_t pid = ::fork();
    if (pid == 0) ::setsid();
    if (pid > 0) ::_exit(0);
  }
}

int fork_many() {
  const int wanted = std::atoi(argument);
  int made = 0;
  for (; made < wanted; ++made) {
    const pid_t pid = ::fork();
    if (pid == 0) sleep_for_ever();
    if (pid < 0) break;
  }
  std::printf("%d\n", made);
  std::fflush(stdout);
  sleep_for_ever();
}

int kill_parent() {
  ::signal(SIGTERM, SIG_IGN);
  if (::fork() == 0) {
    ::setsid();
    write_pid(::getpid());
    sleep_for_ever();
  }
  while (::access(argument, R_OK) != 0) ::usleep(1000);
  ::kill(::getppid(), SIGKILL);
  sleep_for_ever();
}

int stop_parent() {
  ::kill(::getppid(), SIGSTOP);
  sleep_for_ever();
}

pid_t parent_of(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  std::FILE* file = std::fopen(path.c_str(), "r");
  int parent = 0;
  if (!file || std::fscanf(file, "%*d %*s %*c %d", &parent) != 1) return 0;
  std::fclose(file);
  return parent;
}

int kill_helper() {
  write_pid(::getpid());
  const pid_t helper = parent_of(::getppid());
  if (helper > 1) ::kill(helper, SIGKILL);
  sleep_for_ever();
}

int terminate_parent() {
  ::kill(::getppid(), SIGTERM);
  union sigval value {};
  ::sigqueue(::getppid(), SIGTERM, value);
  return 0;
}

int sibling() {
  const long pid = ::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) sleep_for_ever();
  return pid > 0 ? 0 : 1;
}

int write_large() {
  const int fd = ::open(argument, O_WRONLY | O_CREAT, 0600);
  static char block[65536];
  for (int i = 0; i < 1024; ++i)
    if (::write(fd, block, sizeof block) < 0) return 1;
  return 0;
}

int show_environment() {
  for (char** at = environ; *at; ++at) std::puts(*at);
  return 0;
}

int show_descriptors() {
  DIR* dir = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(dir))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(dir))
      std::printf("%s ", entry->d_name);
  ::closedir(dir);
  return 0;
}

int show_state() {
  rlimit core{}, files{}, size{};
  ::getrlimit(RLIMIT_CORE, &core);
  ::getrlimit(RLIMIT_NOFILE, &files);
  ::getrlimit(RLIMIT_FSIZE, &size);
  sigset_t mask;
  ::sigprocmask(SIG_SETMASK, nullptr, &mask);
  int blocked = 0, ignored = 0;
  for (int number = 1; number < 65; ++number) {
    struct sigaction action {};
    blocked += ::sigismember(&mask, number) == 1;
    ignored += ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
  }
  cpu_set_t cpus;
  ::sched_getaffinity(0, sizeof cpus, &cpus);
  char folder[4096];
  std::printf(
      "core=%d files=%d size=%lld blocked=%d ignored=%d cpus=%d first_cpu=%d nice=%d group=%d "
      "privs=%d\nfolder=%s\n",
      static_cast<int>(core.rlim_max), static_cast<int>(files.rlim_cur),
      static_cast<long long>(size.rlim_cur), blocked, ignored, CPU_COUNT(&cpus), CPU_ISSET(0, &cpus) ? 0 : 1,
      ::getpriority(PRIO_PROCESS, 0), ::getpgrp() == ::getpid(), ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
      ::getcwd(folder, sizeof folder));
  return 0;
}

// Can the supervisors' memory, environment and descriptors be read?
int pry() {
  int open = 0;
  for (pid_t pid : {::getppid(), parent_of(::getppid())})
    for (const char* name : {"environ", "mem", "maps"}) {
      const std::string path = "/proc/" + std::to_string(pid) + "/" + name;
      const int fd = ::open(path.c_str(), O_RDONLY);
      char byte = 0;
      open += fd >= 0 && ::read(fd, &byte, 1) > 0;
    }
  return open;
}

int write_to_seven() {
  return ::write(7, "seven", 5) == 5 ? 0 : 1;
}

int read_input() {
  char byte = 0;
  return ::read(0, &byte, 1) == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count > 1 ? arguments[1] : "";
  if (count > 2) argument = arguments[2];
  const std::map<std::string, std::function<int()>> modes{
      {"exit", [] { return std::atoi(argument); }},
      {"signal", [] { return ::kill(::getpid(), std::atoi(argument)); }},
      {"sleep", []() -> int { sleep_for_ever(); }},
      {"ignore-term", ignore_term},
      {"daemon", daemonise},
      {"flood", flood},
      {"odd-bytes", odd_bytes},
      {"close-everything", close_everything},
      {"allocate", allocate},
      {"allocate-together", allocate_together},
      {"storm", storm},
      {"fork-many", fork_many},
      {"kill-parent", kill_parent},
      {"stop-parent", stop_parent},
      {"kill-helper", kill_helper},
      {"terminate-parent", terminate_parent},
      {"sibling", sibling},
      {"write-large", write_large},
      {"environment", show_environment},
      {"descriptors", show_descriptors},
      {"state", show_state},
      {"pry", pry},
      {"write-to-seven", write_to_seven},
      {"read-input", read_input},
  };
  const auto found = modes.find(mode);
  if (found == modes.end()) return 64;
  return found->second();
}
