// Who descends from whom, read from /proc, and signals that cannot hit a stranger.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace noctune {

struct ProcessFacts {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';  // 'Z' and 'X' are already dead
  long threads = 0;
  unsigned long long start_ticks = 0;  // since boot: with the pid, names a process for good
  long long resident_bytes = 0;

  bool alive() const { return state != 'Z' && state != 'X'; }
};

// One line of /proc/<pid>/stat; the program's name in it may hold spaces and brackets.
std::optional<ProcessFacts> parse_stat(std::string_view line);

class ProcessTree {
 public:
  explicit ProcessTree(std::string proc = "/proc");

  std::optional<ProcessFacts> read(pid_t pid) const;
  // All processes below root, parents before children, but not `except` and what is below those. A snapshot:
  // in a tree that forks meanwhile some are missed, so killers repeat until waitpid knows of no child.
  std::vector<ProcessFacts> descendants(pid_t root, const std::vector<pid_t>& except = {}) const;
  // Processes and threads that count against this user's RLIMIT_NPROC, except those that hide from /proc.
  long user_tasks(uid_t user) const;
  // Sends the signal, unless the process is gone and another one has its number now.
  void signal(const ProcessFacts& process, int number) const;

 private:
  std::vector<ProcessFacts> all() const;
  std::vector<pid_t> children_of(pid_t pid) const;

  std::string proc_;
  bool has_children_files_;
};

}  // namespace noctune
