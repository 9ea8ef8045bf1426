#include "sandbox/child.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include <string_view>

#include "base/files.hpp"
#include "sandbox/descriptors.hpp"
#include "sandbox/process_tree.hpp"
#include "sandbox/restrict.hpp"

namespace noctune {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

using Trouble = std::string;  // empty: none

Trouble trouble(const std::string& what) {
  return what + ": " + errno_text(errno);
}

Trouble join_own_group(pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return ::getppid() == parent ? Trouble() : "its supervisor is gone";  // it died before the line above
}

// Everything back to default, but batch systems and launchers send SIGUSR1 and SIGUSR2 as warnings to all
// processes of a job step: a program that does not know them would die of a message that was meant for us.
void reset_signals() {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  ::signal(SIGUSR1, SIG_IGN);
  ::signal(SIGUSR2, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

Trouble arrange_descriptors(const ChildRequest& request, ChildFiles& files) {
  std::vector<std::pair<int, int>> wanted;
  for (std::size_t i = 0; i < files.passed.size(); ++i)
    wanted.emplace_back(files.passed[i], request.descriptors[i].second);
  files.start_pipe = ::fcntl(files.start_pipe, F_DUPFD_CLOEXEC, std::max(first_free_number(wanted), 16));
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (files.start_pipe < 0 || nothing < 0) return trouble("cannot open /dev/null");
  wanted.insert(wanted.end(), {{nothing, 0}, {files.output_pipe, 1}, {files.output_pipe, 2}});
  if (!place_descriptors(wanted)) return trouble("cannot pass on descriptors");
  std::vector<int> keep{files.start_pipe};
  for (const auto& [fd, number] : wanted) keep.push_back(number);
  close_all_except(keep);
  return {};
}

Trouble pin(const std::vector<int>& cpus) {
  if (cpus.empty()) return {};
  const int count = *std::max_element(cpus.begin(), cpus.end()) + 1;
  const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(static_cast<std::size_t>(count)),
                                                             [](cpu_set_t* s) { CPU_FREE(s); });
  const std::size_t size = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(size, set.get());
  for (int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), size, set.get());
  if (::sched_setaffinity(0, size, set.get()) == 0) return {};
  std::string list;
  for (int cpu : cpus) list += (list.empty() ? "" : ",") + std::to_string(cpu);
  return trouble("cannot run on the processors " + list);
}

// Lowers a limit, never raises it.
Trouble limit(__rlimit_resource which, rlim_t soft, rlim_t hard, const char* name) {
  rlimit now{};
  ::getrlimit(which, &now);
  const rlimit wanted{std::min(soft, now.rlim_max), std::min(hard, now.rlim_max)};
  return ::setrlimit(which, &wanted) == 0 ? Trouble() : trouble(std::string("cannot set the limit ") + name);
}

// The kernel counts every task of the user, ours and other jobs' too, so the limit is set from today's count.
// Our own supervisors hide from that count; the margin covers them.
rlim_t task_limit(int further) {
  constexpr long hidden = 64;
  return static_cast<rlim_t>(ProcessTree().user_tasks(::getuid()) + hidden + further);
}

// Backstops: the supervisor's own clock and sampling are the real limits, these hold where it cannot look in
// time.
Trouble set_limits(const ChildRequest& request) {
  const double processors = static_cast<double>(
      request.cpus.empty() ? ::sysconf(_SC_NPROCESSORS_ONLN) : static_cast<long>(request.cpus.size()));
  const auto cpu_s = static_cast<rlim_t>(std::ceil((request.deadline_s + request.grace_s + 60) * processors));
  Trouble bad = limit(RLIMIT_CORE, 0, 0, "core");
  if (bad.empty()) bad = limit(RLIMIT_CPU, cpu_s, cpu_s + 5, "cpu");
  if (bad.empty()) bad = limit(RLIMIT_NOFILE, 1024, 4096, "nofile");
  if (bad.empty() && request.file_bytes > 0) {
    const auto bytes = static_cast<rlim_t>(request.file_bytes);
    bad = limit(RLIMIT_FSIZE, bytes, bytes, "fsize");
  }
  // Counts private memory by address, so it needs room for stacks; an instrumented helper could not even
  // start the child under it. The supervisor watches resident memory anyway.
  if (bad.empty() && request.memory_bytes > 0 && !request.reserves_memory && !instrumented) {
    const auto bytes = 2 * static_cast<rlim_t>(request.memory_bytes) + (rlim_t{1} << 30);
    bad = limit(RLIMIT_DATA, bytes, bytes, "data");
  }
  if (bad.empty() && ::geteuid() != 0) {  // root is exempt: there the supervisor counts
    const rlim_t tasks = task_limit(request.processes);
    bad = limit(RLIMIT_NPROC, tasks, tasks, "nproc");
  }
  return bad;
}

Trouble enter_folder(const ChildRequest& request) {
  ::umask(077);
  if (request.working_folder.empty() || ::chdir(request.working_folder.c_str()) == 0) return {};
  return trouble("cannot enter the folder " + request.working_folder);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> programs(const ChildRequest& request) {
  const std::string& name = request.argv.front();
  if (name.find('/') != std::string::npos) return {name};
  std::string_view path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : request.environment)
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  std::vector<std::string> out;
  while (!path.empty()) {
    const std::size_t stop = std::min(path.find(':'), path.size());
    if (stop > 0) out.push_back(std::string(path.substr(0, stop)) + "/" + name);
    path.remove_prefix(std::min(stop + 1, path.size()));
  }
  return out;
}

// Returns only on failure.
Trouble execute(const ChildRequest& request) {
  const std::vector<char*> arguments = pointers(request.argv), environment = pointers(request.environment);
  int told = ENOENT;  // a file that is there but cannot be run says more than folders without one
  for (const std::string& program : programs(request)) {
    ::execve(program.c_str(), arguments.data(), environment.data());
    if (errno != ENOENT && errno != ENOTDIR) told = errno;
  }
  return request.argv.front() + ": " + errno_text(told);
}

Trouble prepare(const ChildRequest& request, ChildFiles& files, pid_t parent) {
  Trouble bad = join_own_group(parent);
  if (bad.empty()) bad = arrange_descriptors(request, files);
  if (bad.empty()) bad = set_limits(request);
  if (bad.empty()) bad = pin(request.cpus);
  if (bad.empty() && request.nice != 0) ::setpriority(PRIO_PROCESS, 0, request.nice);
  if (bad.empty()) bad = enter_folder(request);
  if (bad.empty()) bad = restrict_child(request);
  return bad;
}

}  // namespace

void become_child(const ChildRequest& request, ChildFiles files, pid_t parent) {
  Trouble bad = prepare(request, files, parent);
  if (bad.empty()) {
    reset_signals();
    bad = execute(request);
  }
  [[maybe_unused]] const ssize_t told =
      ::write(files.start_pipe, bad.data(), std::min<std::size_t>(bad.size(), 4096));
  ::_exit(127);
}

}  // namespace noctune
