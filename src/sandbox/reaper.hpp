// Collects dead children, and kills trees. For a child subreaper: orphans of its tree become its own
// children.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <vector>

#include "sandbox/process_tree.hpp"

namespace noctune {

class Reaper {
 public:
  // Collects every child that is dead by now; notes who was stopped. Never waits.
  void reap();
  // The wait status of a child that was collected.
  std::optional<int> status_of(pid_t child) const;
  // As of the last reap(). False is certain: then no descendant is left either.
  bool has_children() const { return has_children_; }
  // Waits until a child dies, but not longer. SIGCHLD must be blocked; takes it off the queue.
  void wait(double longest_s) const;

  double cpu_seconds() const { return cpu_seconds_; }
  long long largest_bytes() const { return largest_bytes_; }
  // Forgets what was collected so far.
  std::map<pid_t, int> take_statuses();
  std::vector<pid_t> take_stopped();

 private:
  std::map<pid_t, int> statuses_;
  std::vector<pid_t> stopped_;
  bool has_children_ = true;
  double cpu_seconds_ = 0;
  long long largest_bytes_ = 0;
};

// Stops, then kills everything below root; returns how many live processes it met. A tree that forks is never
// quite in one snapshot: repeat until it is gone.
std::size_t kill_round(const ProcessTree& tree, pid_t root, const std::vector<pid_t>& except);

}  // namespace noctune
