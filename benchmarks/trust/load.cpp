#include "trust/load.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

[[noreturn]] void be_load(int index, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  raise(SIGSTOP);
  if (index % 2 == 0) compute();
  sweep_memory();
}

}  // namespace

Load::Load(int count) {
  const pid_t parent = getpid();
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) be_load(i, parent);
    if (child < 0) throw std::runtime_error("cannot start a load process");
    children_.push_back(child);
  }
}

void Load::start() {
  for (const pid_t child : children_) {
    int ignored = 0;
    waitpid(child, &ignored, WUNTRACED);  // it has come to its sleep
    kill(child, SIGCONT);
  }
}

Load::~Load() {
  for (const pid_t child : children_) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace noctune::trust
