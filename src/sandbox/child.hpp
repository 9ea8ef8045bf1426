// The steps between fork and exec: a supervised child gets its group, descriptors, limits and folder.
#pragma once

#include <sys/types.h>

#include "base/process_types.hpp"

namespace noctune {

struct ChildFiles {
  int output_pipe;  // becomes stdout and stderr
  int start_pipe;   // close-on-exec; says in words why exec was not reached, and ends silently when it was
  std::vector<int> passed;  // parallel to request.descriptors
};

// Runs in the forked child; `parent` is the pid that must still be its parent.
[[noreturn]] void become_child(const ChildRequest& request, ChildFiles files, pid_t parent);

}  // namespace noctune
