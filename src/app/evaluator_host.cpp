#include "app/evaluator_host.hpp"

#include "evaluator/service.hpp"

namespace noctune {
namespace {

// Before any thread is made: all of the rank keeps to the build cores where measurements have cores of their
// own.
int helper_threads(const RankLayout& layout) {
  if (!layout.placement.shares_token) pin_thread(layout.placement.build_cpus);
  return 1;
}

}  // namespace

EvaluatorHost::EvaluatorHost(asio::io_context& io, ProcessHelper& helper, DeviceFacts facts,
                             const RankLayout& layout)
    : helper_(helper),
      threads_(static_cast<std::size_t>(helper_threads(layout))),
      scratch_(value_or_throw(ScratchFolder::make("noctune"), Exit::failure)),
      token_(layout.run_token, layout.placement.shares_token),
      measuring_(io),
      served_(io) {
  helper_.attach(io);
  bench_ = std::unique_ptr<Bench>(
      new Bench{io, threads_, helper_, token_, measuring_, std::move(facts), scratch_.path()});
  evaluator_ = std::make_unique<Evaluator>(*bench_);
}

EvaluatorHost::~EvaluatorHost() {
  threads_.join();
}

Task<void> EvaluatorHost::probe(std::string compiler) {
  Builder builder(helper_, std::move(compiler));
  Result<std::string> version = co_await builder.version();
  if (version) {
    bench_->device.compiler = *version;
  } else {
    bench_->device.problem = version.error().text();
  }
}

Task<Json> EvaluatorHost::serve(Json request) {
  ++serving_;
  Json reply = co_await noctune::serve(*evaluator_, std::move(request));
  --serving_;
  served_.notify();
  co_return reply;
}

void EvaluatorHost::cancel() {
  bench_->stopping = true;
  helper_.cancel_all();
}

Task<void> EvaluatorHost::drain() {
  while (serving_ > 0) co_await served_.wait();
}

}  // namespace noctune
