// The node's timing token: who measures holds it alone, who builds or checks shares it. On nodes whose
// measured processors are nobody else's the token is not used. Crosses ranks by file locks, so a dead rank
// frees it.
#pragma once

#include <asio/thread_pool.hpp>
#include <filesystem>
#include <memory>

#include "base/async.hpp"
#include "base/files.hpp"

namespace noctune {

class NodeToken {
 public:
  // `name` must be the same for the ranks that share processors, and differ between users and jobs.
  NodeToken(std::string name, bool used);
  ~NodeToken();

  // Held until destroyed.
  class Hold {
   public:
    Hold() = default;
    explicit Hold(Descriptor lock) : lock_(std::move(lock)) {}

   private:
    Descriptor lock_;
  };

  Task<Hold> to_build();    // together with other builders, never while anybody measures
  Task<Hold> to_measure();  // alone; waits for running builds, later builds wait for it

 private:
  Task<Hold> take(int operation);

  bool used_;
  std::filesystem::path turnstile_, lock_;
  std::shared_ptr<asio::thread_pool> waiters_;  // flock blocks, so it waits in these
};

}  // namespace noctune
