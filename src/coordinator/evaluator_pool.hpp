// All devices of the run as one service. Workers pull: each has one task running and one queued, so that it
// builds ahead while it measures. A hotspot's tasks go to its home device where possible; which hotspot is
// next says fair_queue.hpp. A worker that says nothing for a while loses its tasks to others, until it speaks
// again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "coordinator/fair_queue.hpp"
#include "coordinator/services.hpp"
#include "coordinator/task_costs.hpp"

namespace noctune {

class EvaluatorPool final : public EvaluationService {
 public:
  using Send = std::function<void(std::uint64_t task, const std::string& request)>;  // as CBOR
  using Clock = std::function<double()>;                                             // steady seconds

  explicit EvaluatorPool(asio::io_context& io);
  EvaluatorPool(asio::io_context& io, Clock clock);
  ~EvaluatorPool() override;

  // A worker and how a request reaches it; its reply comes back through answered(). Who is not `remote` lives
  // in this process and is never waited for in vain.
  void add_worker(DeviceFacts facts, Send send, bool remote = true);
  // The first answer to a task counts, from whomever it comes.
  void answered(int rank, std::uint64_t task, Json reply);
  // The worker is gone for good: what it had goes to another one, once.
  void lose_worker(int rank, const std::string& why);

  // Any message from a rank shows that it lives.
  void heard(int rank);
  // Takes the tasks of who said nothing for `silent_after_s`, where others can do them, and gives up who said
  // nothing for `lost_after_s`. To be called every second or so.
  void look_for_silence();
  static constexpr double silent_after_s = 30, lost_after_s = 600;

  // What became of workers, for people. A `silent` one may be back in a later run; another one is broken.
  struct Told {
    std::function<void(const DeviceFacts& device, const std::string& why, bool silent)>
        gone;  // gets no more tasks
    std::function<void(const std::string& text)> note;
  };
  void on_change(Told told) { told_ = std::move(told); }
  std::size_t usable() const;  // workers that are not given up

  // From now on only tasks are begun that are expected to end within `seconds`. `idle` is called once, when
  // nothing runs and nothing that waits would fit.
  void end_within(double seconds, std::function<void()> idle);
  // Nothing new is begun: calls that wait, and later ones, end with StopRequested; what runs goes on.
  void finish_running();
  // Ends all waiting calls with StopRequested; replies that come later are dropped.
  void stop();

  Task<Baselined> prepare(PrepareTask task) override;
  Task<Evaluation> evaluate(EvaluationTask task) override;
  const std::vector<DeviceFacts>& devices() const override { return devices_; }
  void weigh(const std::string& hotspot, double weight) override { queue_.weigh(hotspot, weight); }

  std::size_t waiting() const { return queue_.size(); }
  std::size_t running() const { return out_.size(); }
  // Any request, for callers that speak JSON; benchmarks send empty ones.
  Task<Json> call(std::string hotspot, Json request);

 private:
  struct Call;
  struct Worker;

  Task<Json> call_with(std::string hotspot, std::string kind, std::string request);
  void dispatch();
  void hand_over(std::size_t worker, const std::shared_ptr<Call>& call);
  std::shared_ptr<Call> next_for(std::size_t worker);
  bool fits(const Worker& worker, const Call& call) const;
  void note_room(std::size_t worker);
  void account(Worker& worker, const Call& call, double now);
  void end(const std::shared_ptr<Call>& call, Json reply);
  void take_back(std::size_t worker, const std::string& why);
  void judge_health(std::size_t worker, const Json& reply);
  void give_up(std::size_t worker, const std::string& why, bool silent);
  void end_queue_if_nobody_is_left(const std::string& why);
  void say_if_idle();
  std::size_t worker_of(int rank) const;

  asio::io_context& io_;
  Clock clock_;
  std::vector<DeviceFacts> devices_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::set<std::size_t> room_[2];  // workers with nothing to do, and with room for a second task
  FairQueue<std::shared_ptr<Call>> queue_;
  TaskCosts costs_;
  std::map<std::uint64_t, std::shared_ptr<Call>> out_;
  std::map<std::string, std::size_t> home_;  // hotspot -> worker
  Told told_;
  std::function<void()> idle_;
  double end_s_ = 0;  // on the clock; 0 = no end is known
  std::uint64_t last_task_ = 0;
  bool finishing_ = false, stopped_ = false;
};

}  // namespace noctune
