// The two ends of the conversation over MPI: rank 0's hub for its evaluators, and an evaluator rank's loop.
// Both poll with a back-off from 50 us to 4 ms, since a blocking MPI call would burn a core beside a
// measurement.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "base/async.hpp"
#include "base/json.hpp"
#include "base/mpi.hpp"
#include "coordinator/evaluator_pool.hpp"

namespace noctune {

// Grows from 50 us to 4 ms while nothing happens. At 2 ms an idle rank was measured to cost over 2 % of a
// core in a virtual machine, where every wake-up is dear.
class BackOff {
 public:
  double next_s() { return step_s_ = std::min(2 * step_s_, longest_s); }
  void reset() { step_s_ = shortest_s / 2; }

 private:
  static constexpr double shortest_s = 50e-6, longest_s = 4e-3;
  double step_s_ = shortest_s / 2;
};

class MpiHub {
 public:
  MpiHub(asio::io_context& io, MpiSession& mpi, EvaluatorPool& pool)
      : io_(io), mpi_(mpi), pool_(pool), wake_(io) {}

  // Moves messages until stop(), and has the pool look for ranks that say nothing; start it once. What cannot
  // be read is dropped.
  Task<void> run();
  // Is told, once a rank, who sends what cannot be read.
  void on_broken(std::function<void(const std::string& text)> told) { told_ = std::move(told); }
  // An evaluator inside this process.
  void add_local(DeviceFacts facts, EvaluatorPool::Send send);
  // Resolves when `count` evaluators, the local one included, have said hello; only then do they join the
  // pool, in the order of their ranks, so that every run has the same first device.
  Task<void> wait_for(int count);
  // Everybody who said hello, those included whose device cannot be used and who get no work.
  std::vector<DeviceFacts> all_devices() const;
  // Tells every evaluator to leave and waits, at most `seconds`, for their goodbyes. False when some did not
  // come.
  // All ranks end with `exit_code`: launchers differ in whose code they pass on.
  Task<bool> stop(double seconds, int exit_code);

 private:
  struct Evaluator {
    DeviceFacts facts;
    EvaluatorPool::Send send;
    bool remote = true;
  };

  void handle(MpiMessage message);
  void hello(const MpiMessage& message);
  void greet(int rank, DeviceFacts facts);
  void broken(int rank, const std::string& what);
  void add(Evaluator evaluator);

  asio::io_context& io_;
  MpiSession& mpi_;
  EvaluatorPool& pool_;
  Signal wake_;
  std::function<void(const std::string& text)> told_;
  std::vector<Evaluator> all_;
  std::set<int> greeted_, gone_, told_of_;  // ranks
  bool running_ = true;
};

// Says hello with `facts`, then serves tasks, with a sign of life every few seconds, until told to stop.
// `on_stop` ends what is running. Returns the exit code that rank 0 wants.
Task<int> serve_rank(asio::io_context& io, MpiSession& mpi, DeviceFacts facts,
                     std::function<Task<Json>(Json request)> serve, std::function<void()> on_stop);

}  // namespace noctune
