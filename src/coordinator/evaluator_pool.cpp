#include "coordinator/evaluator_pool.hpp"

#include <algorithm>
#include <optional>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "coordinator/device_health.hpp"
#include "evaluator/service.hpp"
#include "model/evaluation_json.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

constexpr int tasks_per_worker = 2;  // one measured, one built ahead
constexpr int most_attempts = 2;     // a task whose worker was lost is tried once more elsewhere

// Where a call stands for a worker; smaller is sooner.
constexpr int at_home = 0, help_for_a_busy_home = 1;

Task<Baselined> baselined(Task<Json> call) {
  const Json reply = co_await std::move(call);
  Baselined lost;
  lost.report.failure = lost.baseline.verdict = Verdict::lost;
  lost.report.message = lost.baseline.message = fault_text(reply);
  if (!reply.contains("prepared")) co_return lost;
  try {
    Baselined done = baselined_from(reply.at("prepared"));
    done.baseline.device = done.null_probe.device = reply.value("device", 0);
    co_return done;
  } catch (const std::exception& unreadable) {
    lost.report.message = lost.baseline.message = unreadable.what();
  }
  co_return lost;
}

Task<Evaluation> evaluated(Task<Json> call) {
  const Json reply = co_await std::move(call);
  Evaluation lost;
  lost.message = fault_text(reply);
  if (!reply.contains("evaluation")) co_return lost;
  Result<Evaluation> evaluation = evaluation_from_json(reply.at("evaluation"));
  if (!evaluation) {
    lost.message = evaluation.error().text();
    co_return lost;
  }
  evaluation->device = reply.value("device", 0);
  co_return std::move(*evaluation);
}

}  // namespace

struct EvaluatorPool::Call {
  explicit Call(asio::io_context& io) : done(io) {}
  std::uint64_t id = 0;
  std::string hotspot, kind;
  std::string request;  // as it is sent: parsed it takes four times the memory
  std::size_t worker = 0;
  int attempts = 0;
  double sent = 0;       // on the clock
  double charged = 0;    // device seconds that the hotspot paid in advance
  bool refused = false;  // nothing new is begun
  std::optional<Json> reply;
  Signal done;
};

struct EvaluatorPool::Worker {
  Send send;
  int rank = 0;
  bool remote = true;
  bool alive = true;             // not given up
  bool silent = false;           // says nothing at the moment
  std::set<std::uint64_t> open;  // tasks that it was sent and has not answered
  double heard = 0, freed = 0;   // last sign of life, last answer; on the clock
  DeviceHealth health;

  bool takes_tasks() const { return alive && !silent; }
};

EvaluatorPool::EvaluatorPool(asio::io_context& io) : EvaluatorPool(io, steady_seconds) {}
EvaluatorPool::EvaluatorPool(asio::io_context& io, Clock clock) : io_(io), clock_(std::move(clock)) {}
EvaluatorPool::~EvaluatorPool() = default;

void EvaluatorPool::add_worker(DeviceFacts facts, Send send, bool remote) {
  auto worker = std::make_unique<Worker>();
  worker->send = std::move(send);
  worker->rank = facts.rank;
  worker->remote = remote;
  worker->heard = clock_();
  devices_.push_back(std::move(facts));
  workers_.push_back(std::move(worker));
  note_room(workers_.size() - 1);
  dispatch();
}

std::size_t EvaluatorPool::worker_of(int rank) const {
  const auto found = std::find_if(workers_.begin(), workers_.end(),
                                  [rank](const auto& worker) { return worker->rank == rank; });
  return static_cast<std::size_t>(found - workers_.begin());
}

void EvaluatorPool::note_room(std::size_t index) {
  const Worker& worker = *workers_[index];
  for (std::size_t load = 0; load < std::size(room_); ++load) {
    if (worker.takes_tasks() && worker.open.size() == load)
      room_[load].insert(index);
    else
      room_[load].erase(index);
  }
}

// Its backlog first, then the task itself.
bool EvaluatorPool::fits(const Worker& worker, const Call& call) const {
  if (end_s_ <= 0) return true;
  const double one = costs_.expected(call.hotspot, call.kind);
  return clock_() + one * static_cast<double>(worker.open.size() + 1) <= end_s_;
}

// The hotspot whose turn it is, of those that are at home here or nowhere; else one whose home is busy.
std::shared_ptr<EvaluatorPool::Call> EvaluatorPool::next_for(std::size_t index) {
  const Worker& worker = *workers_[index];
  auto call = queue_.pop([&](const std::string& hotspot, const auto& first) -> std::optional<int> {
    if (!fits(worker, *first)) return std::nullopt;
    const auto home = home_.find(hotspot);
    if (home == home_.end() || home->second == index) return at_home;
    const Worker& other = *workers_[home->second];
    if (other.takes_tasks() && other.open.size() < tasks_per_worker) return std::nullopt;
    return help_for_a_busy_home;
  });
  return call ? std::move(*call) : nullptr;
}

void EvaluatorPool::hand_over(std::size_t index, const std::shared_ptr<Call>& call) {
  Worker& worker = *workers_[index];
  home_.emplace(call->hotspot, index);
  call->worker = index;
  ++call->attempts;
  call->sent = clock_();
  call->charged = costs_.expected(call->hotspot, call->kind);
  queue_.charge(call->hotspot, call->charged);
  worker.open.insert(call->id);
  out_[call->id] = call;
  note_room(index);
  worker.send(call->id, call->request);
}

void EvaluatorPool::dispatch() {
  for (auto& room : room_) {  // first everybody gets one, then the second
    if (queue_.size() == 0) break;
    for (const std::size_t index : std::vector<std::size_t>(room.begin(), room.end())) {
      if (queue_.size() == 0) break;
      if (const std::shared_ptr<Call> call = next_for(index)) hand_over(index, call);
    }
  }
  say_if_idle();
}

void EvaluatorPool::say_if_idle() {
  if (!idle_ || !out_.empty() || queue_.size() == 0) return;
  asio::post(io_, std::exchange(idle_, nullptr));
}

// What the task took counts from when the worker could turn to it.
void EvaluatorPool::account(Worker& worker, const Call& call, double now) {
  const double seconds = now - std::max(call.sent, worker.freed);
  worker.freed = now;
  costs_.took(call.hotspot, call.kind, seconds);
  queue_.charge(call.hotspot, seconds - call.charged);
}

void EvaluatorPool::end(const std::shared_ptr<Call>& call, Json reply) {
  out_.erase(call->id);
  call->reply = std::move(reply);
  call->done.notify();
}

void EvaluatorPool::answered(int rank, std::uint64_t task, Json reply) {
  const std::size_t index = worker_of(rank);
  if (index == workers_.size()) return;
  Worker& worker = *workers_[index];
  heard(rank);
  worker.open.erase(task);
  note_room(index);
  const auto found = out_.find(task);
  if (found != out_.end()) {
    const std::shared_ptr<Call> call = found->second;
    if (call->worker == index) account(worker, *call, clock_());
    judge_health(index, reply);
    if (!worker.alive && usable() > 0 && call->attempts < most_attempts && is_infrastructure_fault(reply)) {
      out_.erase(found);
      queue_.push_front(call->hotspot, call);
    } else {
      reply["device"] = index;
      end(call, std::move(reply));
    }
  }  // else late, after another one has answered or the run stopped
  dispatch();
}

void EvaluatorPool::heard(int rank) {
  const std::size_t index = worker_of(rank);
  if (index == workers_.size()) return;
  Worker& worker = *workers_[index];
  worker.heard = clock_();
  if (!worker.silent || !worker.alive) return;
  worker.silent = false;
  note_room(index);
  if (told_.note)
    told_.note("rank " + std::to_string(rank) + " on " + devices_[index].host + " answers again");
  dispatch();
}

void EvaluatorPool::look_for_silence() {
  const double now = clock_();
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = *workers_[i];
    if (!worker.remote || !worker.alive) continue;
    const double silent_for = now - worker.heard;
    const std::string why = "nothing was heard of it for " + fixed(silent_for, 0) + " s";
    if (silent_for > lost_after_s) {
      give_up(i, why, true);
    } else if (silent_for > silent_after_s && !worker.silent) {
      worker.silent = true;
      note_room(i);
      if (told_.note)
        told_.note("rank " + std::to_string(worker.rank) + " on " + devices_[i].host +
                   " says nothing; others take over what they can");
      take_back(i, why);
      dispatch();
    }
  }
}

// Its tasks wait for another worker. The first answer counts, so a task may be away twice; where nobody else
// could do it, it stays.
void EvaluatorPool::take_back(std::size_t index, const std::string& why) {
  const bool others =
      std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return w->takes_tasks(); });
  if (workers_[index]->alive && !others) return;
  std::erase_if(home_, [&](const auto& home) { return home.second == index; });
  for (const std::uint64_t task : workers_[index]->open) {
    const auto found = out_.find(task);
    if (found == out_.end() || found->second->worker != index) continue;
    const std::shared_ptr<Call> call = found->second;
    if (call->attempts < most_attempts) {
      out_.erase(found);
      queue_.push_front(call->hotspot, call);
    } else if (!workers_[index]->alive) {
      end(call, Json{{"error", "lost twice with its evaluator: " + why}});
    }
  }
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
  note_room(index);
  std::erase_if(home_, [&](const auto& home) { return home.second == index; });
  const std::string why = std::to_string(DeviceHealth::faults_to_retire) +
                          " times in a row it gave no verdict, last: " + fault_text(reply);
  end_queue_if_nobody_is_left(why);
  if (told_.gone)
    asio::post(io_, [gone = told_.gone, device = devices_[index], why] { gone(device, why, false); });
}

void EvaluatorPool::give_up(std::size_t index, const std::string& why, bool silent) {
  workers_[index]->alive = false;
  note_room(index);
  take_back(index, why);
  workers_[index]->open.clear();
  end_queue_if_nobody_is_left(why);
  if (told_.gone)
    asio::post(io_,
               [gone = told_.gone, device = devices_[index], why, silent] { gone(device, why, silent); });
  dispatch();
}

void EvaluatorPool::end_queue_if_nobody_is_left(const std::string& why) {
  if (usable() > 0) return;
  for (const auto& call : queue_.take_all()) end(call, Json{{"error", "no evaluator is left: " + why}});
}

void EvaluatorPool::lose_worker(int rank, const std::string& why) {
  const std::size_t index = worker_of(rank);
  if (index < workers_.size() && workers_[index]->alive) give_up(index, why, false);
}

void EvaluatorPool::end_within(double seconds, std::function<void()> idle) {
  end_s_ = clock_() + seconds;
  idle_ = std::move(idle);
  dispatch();
}

void EvaluatorPool::finish_running() {
  finishing_ = true;
  for (const auto& call : queue_.take_all()) {
    call->refused = true;
    call->done.notify();
  }
}

void EvaluatorPool::stop() {
  stopped_ = true;
  finish_running();
  for (const auto& [id, call] : out_) call->done.notify();
  out_.clear();
}

// No coroutine: the request is gone while the answer is waited for, its bytes stay.
Task<Json> EvaluatorPool::call(std::string hotspot, Json request) {
  return call_with(std::move(hotspot), task_kind(request), message_bytes(request));
}

Task<Json> EvaluatorPool::call_with(std::string hotspot, std::string kind, std::string request) {
  if (finishing_) throw StopRequested();
  auto waiting = std::make_shared<Call>(io_);
  waiting->id = ++last_task_;
  waiting->hotspot = std::move(hotspot);
  waiting->kind = std::move(kind);
  waiting->request = std::move(request);
  queue_.push(waiting->hotspot, waiting);
  if (!workers_.empty()) end_queue_if_nobody_is_left("all have failed before");
  dispatch();
  while (!waiting->reply) {
    if (stopped_ || waiting->refused) throw StopRequested();
    co_await waiting->done.wait();
  }
  co_return std::move(*waiting->reply);
}

Task<Baselined> EvaluatorPool::prepare(PrepareTask task) {
  return baselined(call(task.mep.hotspot, prepare_request(task)));
}

Task<Evaluation> EvaluatorPool::evaluate(EvaluationTask task) {
  return evaluated(call(task.setup.mep.hotspot, evaluate_request(task)));
}

}  // namespace noctune
