// Runs untrusted programs (compilers, candidate drivers) through noctune-sandbox, the supervising helper
// process.
#pragma once

#include <asio/awaitable.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/process_types.hpp"

namespace asio {
class io_context;
}

namespace noctune {

// One per rank. start() before MPI_Init and before any thread; attach() once; all later calls on the thread
// that runs `io`. When the helper dies, every pending request ends as helper_lost and the next run() starts a
// new one, saying so in its outcome's reason. The destructor ends every child and returns when the helper is
// gone.
class ProcessHelper {
 public:
  static Result<ProcessHelper> start(const std::string& helper_path);
  ProcessHelper(ProcessHelper&&) noexcept;
  ProcessHelper& operator=(ProcessHelper&&) noexcept;
  ~ProcessHelper();

  void attach(asio::io_context& io);

  // Any number at once. Descriptors may be closed as soon as the awaitable has first suspended. It resumes
  // when the child's whole tree is gone; cancelling the awaitable kills the tree first and then yields
  // `cancelled`.
  asio::awaitable<ChildOutcome> run(ChildRequest request);
  // Kills every running child; their awaitables yield `cancelled`.
  void cancel_all();

  int pid() const;  // of the helper, for messages and tests
  std::size_t running() const;
  // What it can keep children from on this kernel.
  const SandboxSupport& support() const;

 private:
  class Client;
  explicit ProcessHelper(std::shared_ptr<Client> client);
  std::shared_ptr<Client> client_;
};

// What a candidate may see: PATH, library paths, toolkit roots, OMP_*, device visibility; messages in
// English. Entries of `extra` (KEY=VALUE) are added or replace.
std::vector<std::string> candidate_environment(std::vector<std::string> extra = {});
// What a compiler may see: everything but keys and passwords, MPI and batch-system variables.
std::vector<std::string> compiler_environment(std::vector<std::string> extra = {});

// What the user's own application may see: everything but keys and passwords. MPI and batch-system variables
// stay, since it may be launched by srun. Noctune's own are left out but for `extra`.
std::vector<std::string> application_environment(std::vector<std::string> extra = {});

// $NOCTUNE_SANDBOX, else noctune-sandbox beside the running executable, else in ../libexec/noctune.
std::string sandbox_helper_path();

}  // namespace noctune
