#include "coordinator/mpi_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/clock.hpp"
#include "evaluator/service.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

constexpr double sign_of_life_every_s = 5, look_every_s = 1;

int number(MessageType type) {
  return static_cast<int>(type);
}

// Shared by the loop and the tasks it has spawned, which may outlive a turn of the loop.
struct RankState {
  MpiSession& mpi;
  std::function<Task<Json>(Json request)> serve;
  bool leaving = false;
  int running = 0;
};

Task<void> serve_task(std::shared_ptr<RankState> state, std::uint64_t task, Json request) {
  Json reply;
  try {
    reply = co_await state->serve(std::move(request));
  } catch (const std::exception& failure) {
    reply = {{"error", failure.what()}};
  }
  --state->running;
  if (!state->leaving) state->mpi.send(0, number(MessageType::result), task, message_bytes(reply));
}

}  // namespace

void MpiHub::add(Evaluator evaluator) {
  all_.push_back(std::move(evaluator));
  wake_.notify();
}

void MpiHub::add_local(DeviceFacts facts, EvaluatorPool::Send send) {
  add({std::move(facts), std::move(send), false});
}

std::vector<DeviceFacts> MpiHub::all_devices() const {
  std::vector<DeviceFacts> out;
  for (const Evaluator& one : all_) out.push_back(one.facts);
  return out;
}

// Once a rank, however much of it arrives.
void MpiHub::broken(int rank, const std::string& what) {
  if (told_of_.insert(rank).second && told_)
    told_("rank " + std::to_string(rank) + " sent " + what +
          " that cannot be read; such messages are dropped");
}

// Who cannot say what it is gets no work, but is not waited for either.
void MpiHub::hello(const MpiMessage& message) {
  if (!greeted_.insert(message.source).second) return broken(message.source, "a second greeting");
  DeviceFacts facts;
  try {
    facts = device_facts_from(message_from(message.payload));
  } catch (const Json::exception&) {
    broken(message.source, "a greeting");
    facts = DeviceFacts();
    facts.problem = "its greeting cannot be read; do all ranks run the same noctune?";
  }
  facts.rank = message.source;
  greet(message.source, std::move(facts));
}

void MpiHub::greet(int rank, DeviceFacts facts) {
  add({std::move(facts),
       [this, rank](std::uint64_t task, const std::string& request) {
         mpi_.send(rank, number(MessageType::task), task, request);
         wake_.notify();
       },
       true});
}

void MpiHub::handle(MpiMessage message) {
  pool_.heard(message.source);
  switch (static_cast<MessageType>(message.type)) {
    case MessageType::hello:
      hello(message);
      break;
    case MessageType::result: {
      Json reply = message_from(message.payload);
      if (!reply.is_object()) {
        broken(message.source, "an answer");
        reply = {{"error", "rank " + std::to_string(message.source) + " sent a broken message"}};
      }
      pool_.answered(message.source, message.task, std::move(reply));
      break;
    }
    case MessageType::bye:
      if (greeted_.contains(message.source)) gone_.insert(message.source);
      break;
    case MessageType::alive:
      break;
    default:
      broken(message.source, "something");
  }
  wake_.notify();
}

Task<void> MpiHub::run() {
  BackOff back_off;
  Stopwatch since_look;
  while (running_) {
    std::optional<MpiMessage> message = mpi_.poll();
    if (message) {
      handle(std::move(*message));
      back_off.reset();
      co_await asio::post(io_, asio::use_awaitable);  // let whoever waited for it act before the next one
    } else {
      if (!mpi_.sent_all()) back_off.reset();
      // Only with nothing left unread: this rank itself may have been held up.
      if (since_look.seconds() > look_every_s) {
        pool_.look_for_silence();
        since_look = Stopwatch();
      }
      co_await sleep_for(back_off.next_s());
    }
  }
}

Task<void> MpiHub::wait_for(int count) {
  while (static_cast<int>(all_.size()) < count) co_await wake_.wait();
  std::vector<std::size_t> order(all_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return all_[a].facts.rank < all_[b].facts.rank; });
  for (const std::size_t i : order)
    if (all_[i].facts.problem.empty()) pool_.add_worker(all_[i].facts, all_[i].send, all_[i].remote);
}

Task<bool> MpiHub::stop(double seconds, int exit_code) {
  for (const Evaluator& one : all_)
    if (one.remote) mpi_.send(one.facts.rank, number(MessageType::stop), 0, std::to_string(exit_code));
  const Stopwatch watch;
  while ((gone_.size() < greeted_.size() || !mpi_.sent_all()) && watch.seconds() < seconds)
    co_await sleep_for(1e-3);
  running_ = false;
  co_return gone_.size() >= greeted_.size();
}

Task<int> serve_rank(asio::io_context& io, MpiSession& mpi, DeviceFacts facts,
                     std::function<Task<Json>(Json request)> serve, std::function<void()> on_stop) {
  auto state = std::make_shared<RankState>(RankState{mpi, std::move(serve)});
  mpi.send(0, number(MessageType::hello), 0, message_bytes(to_json(facts)));
  BackOff back_off;
  Stopwatch since_sign;
  int exit_code = 0;
  while (!state->leaving || state->running > 0 || !mpi.sent_all()) {
    if (since_sign.seconds() > sign_of_life_every_s) {
      mpi.send(0, number(MessageType::alive), 0, {});
      since_sign = Stopwatch();
    }
    std::optional<MpiMessage> message = mpi.poll();
    if (!message) {
      if (!mpi.sent_all()) back_off.reset();
      co_await sleep_for(back_off.next_s());
      continue;
    }
    back_off.reset();
    if (message->type == number(MessageType::task)) {
      ++state->running;
      asio::co_spawn(io, serve_task(state, message->task, message_from(message->payload)), asio::detached);
    } else if (message->type == number(MessageType::stop)) {
      state->leaving = true;
      exit_code = std::atoi(message->payload.c_str());
      on_stop();
    }
    co_await asio::post(io, asio::use_awaitable);
  }
  mpi.send(0, number(MessageType::bye), 0, {});
  while (!mpi.sent_all()) {
    mpi.poll();
    co_await sleep_for(100e-6);
  }
  co_return exit_code;
}

}  // namespace noctune
