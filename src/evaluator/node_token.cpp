// A readers-writer lock with a turnstile: a measurer first closes the turnstile, so that a stream of builds
// of several ranks cannot keep it waiting for ever, then waits for the builds that are running.
#include "evaluator/node_token.hpp"

#include <sys/file.h>

#include "evaluator/file_lock.hpp"

namespace noctune {

NodeToken::NodeToken(std::string name, bool used)
    : used_(used),
      turnstile_(lock_path(lock_folder(), name + ".turnstile")),
      lock_(lock_path(lock_folder(), name + ".token")),
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
