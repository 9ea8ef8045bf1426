// A readers-writer lock with a turnstile: a measurer first closes the turnstile, so that a stream of builds
// of several ranks cannot keep it waiting for ever, then waits for the builds that are running.
#include "evaluator/node_token.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace noctune {
namespace {

Descriptor lock_file(const std::filesystem::path& path, int operation) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file)
    throw std::runtime_error("cannot open the timing token " + path.string() + ": " + errno_text(errno));
  while (::flock(file.get(), operation) != 0)
    if (errno != EINTR) throw std::runtime_error("cannot lock " + path.string() + ": " + errno_text(errno));
  return file;
}

std::filesystem::path token_folder() {
  std::error_code ignored;
  return std::filesystem::is_directory("/dev/shm", ignored) ? "/dev/shm"
                                                            : std::filesystem::temp_directory_path();
}

}  // namespace

NodeToken::NodeToken(std::string name, bool used)
    : used_(used),
      turnstile_(token_folder() / ("noctune-" + std::to_string(::getuid()) + "-" + name + ".turnstile")),
      lock_(token_folder() / ("noctune-" + std::to_string(::getuid()) + "-" + name + ".token")),
      waiters_(std::make_shared<asio::thread_pool>(4)) {}

NodeToken::~NodeToken() {
  waiters_->join();
  std::error_code ignored;
  std::filesystem::remove(turnstile_, ignored);
  std::filesystem::remove(lock_, ignored);
}

Task<NodeToken::Hold> NodeToken::to_build() {
  return take(LOCK_SH);
}
Task<NodeToken::Hold> NodeToken::to_measure() {
  return take(LOCK_EX);
}

Task<NodeToken::Hold> NodeToken::take(int operation) {
  if (!used_) co_return Hold();
  auto waiting = [turnstile = turnstile_, lock = lock_, operation] {
    const Descriptor passing = lock_file(turnstile, operation);
    return std::make_shared<Descriptor>(lock_file(lock, operation));
  };
  std::shared_ptr<Descriptor> held = co_await in_thread(*waiters_, std::move(waiting));
  co_return Hold(std::move(*held));
}

}  // namespace noctune
