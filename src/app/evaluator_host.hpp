// Everything one evaluator needs on its rank, put together: helper, scratch, token, threads, the evaluator itself.
#pragma once

#include <asio/thread_pool.hpp>
#include <memory>

#include "app/rank_layout.hpp"
#include "evaluator/evaluator.hpp"

namespace noctune {

class EvaluatorHost {
 public:
  // `helper` was started before MPI_Init and is attached here.
  EvaluatorHost(asio::io_context& io, ProcessHelper& helper, DeviceFacts facts, const RankLayout& layout);
  ~EvaluatorHost();

  // Asks the compiler for its version; a compiler that cannot be used ends up in `facts().problem`.
  Task<void> probe(std::string compiler);

  Evaluator& evaluator() { return *evaluator_; }
  const DeviceFacts& facts() const { return bench_->device; }
  void cancel() { helper_.cancel_all(); }

 private:
  ProcessHelper& helper_;
  asio::thread_pool threads_;
  ScratchFolder scratch_;
  NodeToken token_;
  AsyncMutex measuring_;
  std::unique_ptr<Bench> bench_;
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace noctune
