// Everything one evaluator needs on its rank, put together: helper, scratch, token, threads, the evaluator
// itself.
#pragma once

#include <asio/thread_pool.hpp>
#include <memory>

#include "base/json.hpp"
#include "evaluator/evaluator.hpp"
#include "evaluator/sandbox_level.hpp"

namespace noctune {

class EvaluatorHost {
 public:
  // `helper` was started before MPI_Init and is attached here. `run_token` names the node's timing token.
  // Until probe() every restriction that the kernel knows is in force.
  EvaluatorHost(asio::io_context& io, ProcessHelper& helper, DeviceFacts facts, const std::string& run_token);
  ~EvaluatorHost();

  // Asks the compiler for its version and runs a test kernel through the sandbox, which is lowered where that
  // fails; then measures what the device can do at most. A compiler that cannot be used ends up in
  // `facts().problem`.
  Task<void> probe(PlatformSettings platform);

  Evaluator& evaluator() { return *evaluator_; }
  Bench& bench() { return *bench_; }
  const ScratchFolder& scratch() const { return scratch_; }
  const SandboxState& sandbox() const { return sandbox_; }
  const std::string& ceilings_problem() const { return ceilings_problem_; }  // empty: they are in facts()
  const DeviceFacts& facts() const { return bench_->device; }
  // Serves one request; requests may overlap.
  Task<Json> serve(Json request);
  // Ends what runs and starts nothing more; resolves when no request is being served. The token and the
  // scratch must outlive them.
  void cancel();
  Task<void> drain();

 private:
  void describe_sandbox();

  ProcessHelper& helper_;
  asio::thread_pool threads_;
  ScratchFolder scratch_;
  NodeToken token_;
  AsyncMutex measuring_;
  SandboxState sandbox_;
  std::string ceilings_problem_;
  std::unique_ptr<Bench> bench_;
  std::unique_ptr<Evaluator> evaluator_;
  Signal served_;
  int serving_ = 0;
};

}  // namespace noctune
