#include "trust/load.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace noctune::trust {
namespace {

constexpr std::size_t swept_bytes = 64 << 20;

[[noreturn]] void compute() {
  volatile double value = 1;
  for (;;) value = value * 1.0000001 + 1e-9;
}

[[noreturn]] void sweep_memory() {
  std::vector<char> memory(swept_bytes);
  volatile char* const bytes = memory.data();
  for (char round = 0;; ++round)
    for (std::size_t i = 0; i < swept_bytes; i += 64) bytes[i] = round;
}

// Waits until the other end of the pipe is closed. A stopped process would do, but for the kernel, which
// hangs up on whole process groups that hold one when a login ends.
void await_start(int start) {
  char nothing = 0;
  while (read(start, &nothing, 1) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void be_load(int index, int start, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  await_start(start);
  if (index % 2 == 0) compute();
  sweep_memory();
}

}  // namespace

Load::Load(int count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const Descriptor start(ends[0]);
  start_ = Descriptor(ends[1]);
  const pid_t parent = getpid();
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      start_.reset();
      be_load(i, start.get(), parent);
    }
    if (child < 0) throw std::runtime_error("cannot start a load process");
    children_.push_back(child);
  }
}

void Load::start() {
  start_.reset();
}

Load::~Load() {
  for (const pid_t child : children_) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace noctune::trust
