#include "base/process_spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/sandbox_protocol.hpp"

namespace noctune {
namespace {

constexpr int child_number = 3;

// Nothing of ours is the helper's business; it only has to be able to load its libraries.
std::vector<std::string> helper_environment() {
  std::vector<std::string> out{"PATH=/usr/local/bin:/usr/bin:/bin"};
  const char* libraries = std::getenv("LD_LIBRARY_PATH");
  if (libraries) out.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  return out;
}

class SpawnSettings {
 public:
  explicit SpawnSettings(int socket) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, child_number);
    sigset_t all, none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  int spawn(pid_t& pid, const std::string& path, std::vector<std::string> arguments) const {
    std::vector<std::string> environment = helper_environment();
    std::vector<char*> argv, envp;
    for (std::string& text : arguments) argv.push_back(text.data());
    for (std::string& text : environment) envp.push_back(text.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    return ::posix_spawn(&pid, path.c_str(), &actions_, &attributes_, argv.data(), envp.data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

void wait_until_dead(pid_t pid, double longest_s, int& status, pid_t& reaped) {
  const double until = steady_seconds() + longest_s;
  for (;;) {
    reaped = ::waitpid(pid, &status, WNOHANG);
    if (reaped != 0 || steady_seconds() >= until) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string how_it_ended(int status, pid_t reaped) {
  if (reaped <= 0) return "ended in an unknown way";
  if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
  return "ended with code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

Result<SpawnedHelper> spawn_helper(const std::string& path) {
  const std::string problem = "cannot start the sandbox helper " + path;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(problem, errno_text(errno));
  SpawnedHelper helper{Descriptor(ends[0]), -1};
  Descriptor theirs(ends[1]);
  // Above the number it gets, so that putting it there is a true copy, which survives exec.
  const Descriptor high(::fcntl(theirs.get(), F_DUPFD_CLOEXEC, child_number + 1));
  if (!high) return fail(problem, errno_text(errno));
  const SpawnSettings settings(high.get());
  const int error = settings.spawn(helper.pid, path, {path, "--control", std::to_string(child_number)});
  if (error == 0) return helper;
  return fail(problem, errno_text(error),
              "it is installed with noctune; NOCTUNE_SANDBOX names it where it lies elsewhere");
}

Result<SandboxSupport> await_hello(const SpawnedHelper& helper, double longest_s) {
  const double until = steady_seconds() + longest_s;
  for (double now = steady_seconds(); now < until; now = steady_seconds()) {
    pollfd event{helper.socket.get(), POLLIN, 0};
    if (::poll(&event, 1, static_cast<int>((until - now) * 1000) + 1) <= 0) continue;
    SandboxPacket packet;
    const Receive got = receive_packet(helper.socket.get(), packet);
    if (got == Receive::packet && packet.kind == SandboxMessage::hello) {
      const Result<std::string> body = take_body(packet);
      return body ? decode_support(*body) : Result<SandboxSupport>(Failure(body.error()));
    }
    return fail("the sandbox helper does not speak our language",
                got == Receive::closed ? "it ended at once" : "its first message is not understood",
                "noctune and noctune-sandbox must come from the same build");
  }
  return fail("the sandbox helper did not answer within " + std::to_string(static_cast<int>(longest_s)) +
              " s");
}

std::string end_helper(SpawnedHelper& helper, double longest_s) {
  helper.socket.reset();
  if (helper.pid <= 0) return "was never started";
  int status = 0;
  pid_t reaped = 0;
  wait_until_dead(helper.pid, longest_s, status, reaped);
  if (reaped == 0) {
    ::kill(helper.pid, SIGKILL);
    wait_until_dead(helper.pid, 1, status, reaped);
  }
  helper.pid = -1;
  return how_it_ended(status, reaped);
}

}  // namespace noctune
