#include "sandbox/reaper.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <cmath>
#include <ctime>
#include <utility>

namespace noctune {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

void Reaper::reap() {
  for (;;) {
    int status = 0;
    rusage usage{};
    const pid_t pid = ::wait4(-1, &status, WNOHANG | WUNTRACED | __WALL, &usage);
    if (pid < 0 && errno == EINTR) continue;
    has_children_ = pid >= 0 || errno != ECHILD;
    if (pid <= 0) return;
    if (WIFSTOPPED(status)) {
      stopped_.push_back(pid);
      continue;
    }
    statuses_.emplace(pid, status);  // numbers come round again: the first one was ours
    cpu_seconds_ += seconds(usage.ru_utime) + seconds(usage.ru_stime);
    largest_bytes_ = std::max(largest_bytes_, static_cast<long long>(usage.ru_maxrss) * 1024);
  }
}

std::optional<int> Reaper::status_of(pid_t child) const {
  const auto found = statuses_.find(child);
  return found == statuses_.end() ? std::nullopt : std::optional<int>(found->second);
}

void Reaper::wait(double longest_s) const {
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  const timespec time{static_cast<time_t>(longest_s), static_cast<long>(std::fmod(longest_s, 1.0) * 1e9)};
  ::sigtimedwait(&child, nullptr, &time);
}

std::vector<pid_t> Reaper::take_stopped() {
  return std::exchange(stopped_, {});
}

std::map<pid_t, int> Reaper::take_statuses() {
  return std::exchange(statuses_, {});
}

std::size_t kill_round(const ProcessTree& tree, pid_t root, const std::vector<pid_t>& except) {
  const std::vector<ProcessFacts> processes = tree.descendants(root, except);
  std::size_t alive = 0;
  for (int number : {SIGSTOP, SIGKILL})
    for (const ProcessFacts& process : processes)
      if (process.alive()) tree.signal(process, number);
  for (const ProcessFacts& process : processes) alive += process.alive();
  return alive;
}

}  // namespace noctune
