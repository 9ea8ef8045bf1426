#include "evaluator/evaluator_host.hpp"

#include "base/topology.hpp"
#include "evaluator/ceilings.hpp"
#include "evaluator/gpu_devices.hpp"
#include "evaluator/gpu_discovery.hpp"
#include "evaluator/sandbox_probe.hpp"
#include "evaluator/service.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace {

// Before any thread is made: all of the rank keeps to the build cores where measurements have cores of their
// own.
int helper_threads(const DeviceFacts& facts) {
  if (!facts.shares_token) pin_thread(facts.build_cpus);
  return 1;
}

// Empty where no management library knows it.
std::function<GpuState()> state_of_gpu(const std::string& key) {
  const auto gpus = std::make_shared<const GpuManagement>();
  for (const GpuInfo& one : gpus->devices())
    if (gpu_key(one) == key) return [gpus, one] { return gpus->state(one); };
  return {};
}

}  // namespace

EvaluatorHost::EvaluatorHost(asio::io_context& io, ProcessHelper& helper, DeviceFacts facts,
                             const std::string& run_token)
    : helper_(helper),
      threads_(static_cast<std::size_t>(helper_threads(facts))),
      scratch_(value_or_throw(ScratchFolder::make("noctune"), Exit::failure)),
      token_(run_token, facts.shares_token),
      measuring_(io),
      sandbox_(full_sandbox(helper.support())),
      served_(io) {
  helper_.attach(io);
  bench_ = std::unique_ptr<Bench>(
      new Bench{io, threads_, helper_, token_, measuring_, std::move(facts), scratch_.path()});
  bench_->sandbox = sandbox_.level;
  if (runs_on_gpu(bench_->device.backend)) {
    const std::string key = gpu_key(gpu_info(bench_->device));
    bench_->gpu_lock.emplace(key);
    bench_->gpu_state = state_of_gpu(key);
  }
  describe_sandbox();
  evaluator_ = std::make_unique<Evaluator>(*bench_);
}

void EvaluatorHost::describe_sandbox() {
  bench_->device.sandbox_level = level_text(sandbox_);
  bench_->device.sandbox_missing = missing_text(sandbox_);
}

EvaluatorHost::~EvaluatorHost() {
  threads_.join();
}

Task<void> EvaluatorHost::probe(PlatformSettings platform) {
  if (!bench_->device.problem.empty()) co_return;  // it has no GPU
  Result<std::string> version = co_await compiler_version(helper_, platform.compiler);
  if (!version) {
    bench_->device.problem = version.error().text();
    co_return;
  }
  bench_->device.compiler = *version;
  co_await settle_sandbox(*bench_, platform, sandbox_);
  describe_sandbox();
  ceilings_problem_ = co_await measure_ceilings(*bench_, platform);
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
