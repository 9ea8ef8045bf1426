// Run under mpiexec: rank 0 sends every evaluator payloads of several sizes and expects each back, complete;
// then all leave. Exit code 0 when every byte was right.
#include <cstdio>
#include <string>

#include "base/async.hpp"
#include "base/mpi.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/mpi_ranks.hpp"
#include "evaluator/service.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

constexpr std::size_t sizes[] = {0, 1, 1000, 65536, 5 << 20};

// An evaluator rank that returns what it gets.
Task<void> echo(asio::io_context& io, MpiSession& mpi) {
  DeviceFacts facts;
  facts.rank = mpi.rank();
  const std::vector<std::uint8_t> hello = Json::to_cbor(to_json(facts));
  mpi.send(0, static_cast<int>(MessageType::hello), 0, std::string(hello.begin(), hello.end()));
  for (bool leaving = false; !leaving || !mpi.sent_all();) {
    if (std::optional<MpiMessage> message = mpi.poll()) {
      if (message->type == static_cast<int>(MessageType::task))
        mpi.send(0, static_cast<int>(MessageType::result), message->task, message->payload);
      leaving = leaving || message->type == static_cast<int>(MessageType::stop);
    } else {
      co_await sleep_for(1e-4);
    }
  }
  mpi.send(0, static_cast<int>(MessageType::bye), 0, {});
  while (!mpi.sent_all()) {
    mpi.poll();
    co_await sleep_for(1e-4);
  }
  (void)io;
}

Task<int> ask_all(asio::io_context& io, MpiSession& mpi, EvaluatorPool& pool, MpiHub& hub) {
  asio::co_spawn(io, hub.run(), asio::detached);
  co_await hub.wait_for(mpi.size() - 1);
  std::vector<Task<Json>> calls;
  std::vector<std::string> texts;
  for (int i = 0; i < 40 * (mpi.size() - 1); ++i) {
    texts.push_back(
        std::string(sizes[static_cast<std::size_t>(i) % std::size(sizes)], static_cast<char>('a' + i % 26)));
    Json request = {{"text", texts.back()}};
    calls.push_back(pool.call("hotspot" + std::to_string(i % 7), std::move(request)));
  }
  const std::vector<Json> replies = co_await gather(io, std::move(calls));
  int wrong = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) wrong += replies[i].at("text") != texts[i];
  co_await hub.stop(10, 0);
  co_return wrong;
}

int run(int* argc, char*** argv) {
  MpiSession mpi(argc, argv);
  const std::vector<std::string> all = mpi.all_gather("rank " + std::to_string(mpi.rank()));
  for (int i = 0; i < mpi.size(); ++i)
    if (all[static_cast<std::size_t>(i)] != "rank " + std::to_string(i)) return 1;
  asio::io_context io;
  int wrong = 0;
  if (mpi.rank() != 0) {
    asio::co_spawn(io, echo(io, mpi), [&](std::exception_ptr) { io.stop(); });
    io.run();
    return 0;
  }
  EvaluatorPool pool(io);
  MpiHub hub(io, mpi, pool);
  if (mpi.size() > 1) {
    asio::co_spawn(io, ask_all(io, mpi, pool, hub), [&](std::exception_ptr failure, int count) {
      wrong = failure ? 1 : count;
      io.stop();
    });
    io.run();
  }
  std::printf("%d ranks, %d wrong replies\n", mpi.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  return noctune::run(&argc, &argv);
}
