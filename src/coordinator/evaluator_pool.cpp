#include "coordinator/evaluator_pool.hpp"

#include <algorithm>
#include <optional>

#include "coordinator/device_health.hpp"
#include "evaluator/service.hpp"
#include "model/evaluation_json.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

constexpr int tasks_per_worker = 2;  // one measured, one built ahead
constexpr int most_attempts = 2;     // a task whose worker was lost is tried once more elsewhere

}  // namespace

struct EvaluatorPool::Call {
  explicit Call(asio::io_context& io) : done(io) {}
  std::uint64_t id = 0;
  std::string hotspot;
  Json request;
  std::size_t worker = 0;
  int attempts = 0;
  std::optional<Json> reply;
  Signal done;
};

struct EvaluatorPool::Worker {
  Send send;
  int running = 0;
  bool alive = true;
  int rank = 0;
  DeviceHealth health;
};

EvaluatorPool::EvaluatorPool(asio::io_context& io) : io_(io) {}
EvaluatorPool::~EvaluatorPool() = default;

void EvaluatorPool::add_worker(DeviceFacts facts, Send send) {
  auto worker = std::make_unique<Worker>();
  worker->send = std::move(send);
  worker->rank = facts.rank;
  devices_.push_back(std::move(facts));
  workers_.push_back(std::move(worker));
  dispatch();
}

// The oldest call at home on this worker, else the oldest without a home, else the oldest whose home is busy.
std::shared_ptr<EvaluatorPool::Call> EvaluatorPool::next_for(std::size_t worker) {
  auto rank = [&](const Call& call) {
    const auto home = home_.find(call.hotspot);
    if (home == home_.end()) return 1;
    if (home->second == worker) return 0;
    return workers_[home->second]->alive && workers_[home->second]->running < tasks_per_worker ? 3 : 2;
  };
  const auto best = std::min_element(queue_.begin(), queue_.end(), [&](const auto& a, const auto& b) {
    return rank(*a) < rank(*b);  // the first of equals is the oldest
  });
  if (best == queue_.end() || rank(**best) == 3) return nullptr;
  std::shared_ptr<Call> call = *best;
  queue_.erase(best);
  return call;
}

void EvaluatorPool::dispatch() {
  for (int load = 0; load < tasks_per_worker; ++load) {  // first everybody gets one, then the second
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = *workers_[i];
      if (!worker.alive || worker.running > load) continue;
      const std::shared_ptr<Call> call = next_for(i);
      if (!call) continue;
      home_.emplace(call->hotspot, i);
      call->worker = i;
      ++call->attempts;
      ++worker.running;
      out_[call->id] = call;
      worker.send(call->id, call->request);
    }
  }
}

void EvaluatorPool::answered(std::uint64_t task, Json reply) {
  const auto found = out_.find(task);
  if (found == out_.end()) return;  // late, after its lease went elsewhere or the run stopped
  const std::shared_ptr<Call> call = found->second;
  out_.erase(found);
  --workers_[call->worker]->running;
  judge_health(call->worker, reply);
  if (!workers_[call->worker]->alive && usable() > 0 && call->attempts < most_attempts &&
      is_infrastructure_fault(reply)) {
    queue_.push_front(call);
    dispatch();
    return;
  }
  reply["device"] = call->worker;
  call->reply = std::move(reply);
  call->done.notify();
  dispatch();
}

std::size_t EvaluatorPool::usable() const {
  return static_cast<std::size_t>(
      std::count_if(workers_.begin(), workers_.end(), [](const auto& worker) { return worker->alive; }));
}

// A retired worker finishes what it has: unlike a lost one it still answers.
void EvaluatorPool::judge_health(std::size_t index, const Json& reply) {
  Worker& worker = *workers_[index];
  if (!is_infrastructure_fault(reply)) {
    worker.health.success();
    return;
  }
  worker.health.fault();
  if (!worker.alive || !worker.health.retired()) return;
  worker.alive = false;
  std::erase_if(home_, [&](const auto& home) { return home.second == index; });
  const std::string why = std::to_string(DeviceHealth::faults_to_retire) +
                          " times in a row it gave no verdict, last: " + fault_text(reply);
  end_queue_if_nobody_is_left(why);
  if (retired_) asio::post(io_, [told = retired_, device = devices_[index], why] { told(device, why); });
}

void EvaluatorPool::end_queue_if_nobody_is_left(const std::string& why) {
  if (usable() > 0) return;
  for (const auto& call : std::exchange(queue_, {})) {
    call->reply = Json{{"error", "no evaluator is left: " + why}};
    call->done.notify();
  }
}

void EvaluatorPool::lose_worker(int rank, const std::string& why) {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i]->rank != rank || !workers_[i]->alive) continue;
    workers_[i]->alive = false;
    std::erase_if(home_, [&](const auto& home) { return home.second == i; });
    for (auto it = out_.begin(); it != out_.end();) {
      const std::shared_ptr<Call> call = it->second;
      if (call->worker != i) {
        ++it;
        continue;
      }
      it = out_.erase(it);
      if (call->attempts < most_attempts) {
        queue_.push_front(call);
      } else {
        call->reply = Json{{"error", "lost twice with its evaluator: " + why}};
        call->done.notify();
      }
    }
  }
  end_queue_if_nobody_is_left(why);
  dispatch();
}

void EvaluatorPool::stop() {
  stopped_ = true;
  for (const auto& call : queue_) call->done.notify();
  for (const auto& [id, call] : out_) call->done.notify();
  queue_.clear();
  out_.clear();
}

Task<Json> EvaluatorPool::call(std::string hotspot, Json request) {
  if (stopped_) throw StopRequested();
  auto waiting = std::make_shared<Call>(io_);
  waiting->id = ++last_task_;
  waiting->hotspot = std::move(hotspot);
  waiting->request = std::move(request);
  queue_.push_back(waiting);
  if (!workers_.empty()) end_queue_if_nobody_is_left("all have failed before");
  dispatch();
  while (!waiting->reply) {
    if (stopped_) throw StopRequested();
    co_await waiting->done.wait();
  }
  co_return std::move(*waiting->reply);
}

Task<Baselined> EvaluatorPool::prepare(PrepareTask task) {
  Json request = prepare_request(task);
  const Json reply = co_await call(task.mep.hotspot, std::move(request));
  if (reply.contains("prepared")) {
    Baselined done = baselined_from(reply.at("prepared"));
    done.baseline.device = done.null_probe.device = reply.value("device", 0);
    co_return done;
  }
  Baselined lost;
  lost.report.failure = lost.baseline.verdict = Verdict::lost;
  lost.report.message = lost.baseline.message = reply.value("error", "the evaluator gave no answer");
  co_return lost;
}

Task<Evaluation> EvaluatorPool::evaluate(EvaluationTask task) {
  Json request = evaluate_request(task);
  const Json reply = co_await call(task.setup.mep.hotspot, std::move(request));
  Evaluation lost;
  lost.message = reply.value("error", "the evaluator gave no answer");
  if (!reply.contains("evaluation")) co_return lost;
  Result<Evaluation> evaluation = evaluation_from_json(reply.at("evaluation"));
  if (!evaluation) {
    lost.message = evaluation.error().text();
    co_return lost;
  }
  evaluation->device = reply.value("device", 0);
  co_return std::move(*evaluation);
}

}  // namespace noctune
