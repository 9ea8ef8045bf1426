// Everything one evaluator needs on its rank, put together: helper, scratch, token, threads, the evaluator
// itself.
#pragma once

#include <asio/thread_pool.hpp>
#include <memory>

#include "app/rank_layout.hpp"
#include "base/json.hpp"
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
  // Serves one request; requests may overlap.
  Task<Json> serve(Json request);
  // Ends what runs and starts nothing more; resolves when no request is being served. The token and the
  // scratch must outlive them.
  void cancel();
  Task<void> drain();

 private:
  ProcessHelper& helper_;
  asio::thread_pool threads_;
  ScratchFolder scratch_;
  NodeToken token_;
  AsyncMutex measuring_;
  std::unique_ptr<Bench> bench_;
  std::unique_ptr<Evaluator> evaluator_;
  Signal served_;
  int serving_ = 0;
};

}  // namespace noctune
