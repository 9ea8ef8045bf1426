// All devices of the run as one service. Workers pull: each has one task running and one queued, so that it
// builds ahead while it measures. A hotspot's tasks go to its home device where possible.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "coordinator/services.hpp"

namespace noctune {

class EvaluatorPool final : public EvaluationService {
 public:
  using Send = std::function<void(std::uint64_t task, const Json& request)>;

  explicit EvaluatorPool(asio::io_context& io);
  ~EvaluatorPool() override;

  // A worker and how a request reaches it; its reply comes back through answered().
  void add_worker(DeviceFacts facts, Send send);
  void answered(std::uint64_t task, Json reply);
  // The worker is gone: what it had goes to another one, once.
  void lose_worker(int rank, const std::string& why);
  // Told when a device has failed too often (device_health.hpp) and gets no more tasks.
  using Retired = std::function<void(const DeviceFacts& device, const std::string& why)>;
  void on_retired(Retired told) { retired_ = std::move(told); }
  std::size_t usable() const;  // workers that still get tasks
  // Ends all waiting calls with StopRequested; replies that come later are dropped.
  void stop();

  Task<Baselined> prepare(PrepareTask task) override;
  Task<Evaluation> evaluate(EvaluationTask task) override;
  const std::vector<DeviceFacts>& devices() const override { return devices_; }

  std::size_t waiting() const { return queue_.size(); }
  std::size_t running() const { return out_.size(); }
  // Any request, for callers that speak JSON; benchmarks send empty ones.
  Task<Json> call(std::string hotspot, Json request);

 private:
  struct Call;
  struct Worker;

  void dispatch();
  void judge_health(std::size_t worker, const Json& reply);
  void end_queue_if_nobody_is_left(const std::string& why);
  std::shared_ptr<Call> next_for(std::size_t worker);

  asio::io_context& io_;
  std::vector<DeviceFacts> devices_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::deque<std::shared_ptr<Call>> queue_;
  std::map<std::uint64_t, std::shared_ptr<Call>> out_;
  std::map<std::string, std::size_t> home_;  // hotspot -> worker
  Retired retired_;
  std::uint64_t last_task_ = 0;
  bool stopped_ = false;
};

}  // namespace noctune
