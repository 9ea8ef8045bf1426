// One job's supervisor: a process of its own between the helper and the child.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/files.hpp"
#include "base/process_types.hpp"

namespace noctune {

struct WardenTask {
  std::uint64_t job = 0;
  ChildRequest request;
  std::vector<Descriptor> passed;  // parallel to request.descriptors
  int control = -1;  // the socket to the rank, shared with the helper: outcomes go straight there
  int signals = -1;  // a signalfd for SIGCHLD and SIGTERM
  pid_t helper = 0;
};

// How a warden ends; anything else means that it was killed and has sent nothing.
enum class WardenExit { delivered = 0, not_delivered = 3 };

// Runs the job in the process that the helper has forked for it, sends the outcome when the whole tree is
// gone (or ten seconds were not enough to be rid of it), and exits. SIGTERM from the helper cancels.
[[noreturn]] void run_warden(WardenTask task);

}  // namespace noctune
