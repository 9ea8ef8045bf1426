// Run under mpiexec with three ranks: one that is no evaluator at all and one that sends rubbish between its
// answers. Rank 0 must drop what it cannot read, say so once a rank, and get every answer all the same.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "base/async.hpp"
#include "base/mpi.hpp"
#include "coordinator/mpi_ranks.hpp"
#include "evaluator/service.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

constexpr int stranger = 1, calls = 20;

int number(MessageType type) {
  return static_cast<int>(type);
}

std::string cbor(const Json& json) {
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  return std::string(bytes.begin(), bytes.end());
}

// No header, half a header, and one that promises more than there is.
void send_raw() {
  const std::string longer = "TCON" + std::string(19, '\xff');
  for (const std::string& bytes : {std::string(), std::string("short"), longer, std::string(100, 'x')})
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, 7, MPI_COMM_WORLD);
}

void send_rubbish(MpiSession& mpi) {
  send_raw();
  mpi.send(0, 0, 1, "no type");
  mpi.send(0, 4711, 1, "a type of another version");
  mpi.send(0, number(MessageType::result), 999999, "\xff\xff no CBOR");
  mpi.send(0, number(MessageType::result), 999999, cbor(7));
  mpi.send(0, number(MessageType::hello), 0, cbor({{"rank", "two"}}));
}

Task<void> serve(MpiSession& mpi) {
  DeviceFacts facts;
  facts.rank = 0;  // a lie
  mpi.send(0, number(MessageType::hello), 0, mpi.rank() == stranger ? "hello" : cbor(to_json(facts)));
  send_rubbish(mpi);
  for (bool leaving = false; !leaving || !mpi.sent_all();) {
    if (std::optional<MpiMessage> message = mpi.poll()) {
      if (message->type == number(MessageType::task)) {
        send_rubbish(mpi);
        // Every second answer is rubbish itself.
        const bool sound = message->task % 2 == 0;
        mpi.send(0, number(MessageType::result), message->task, sound ? cbor({{"value", "x"}}) : "?");
      }
      leaving = leaving || message->type == number(MessageType::stop);
    } else {
      co_await sleep_for(1e-4);
    }
  }
  for (int i = 0; i < 2; ++i) mpi.send(0, number(MessageType::bye), 0, {});
  while (!mpi.sent_all()) {
    mpi.poll();
    co_await sleep_for(1e-4);
  }
}

int expect(bool condition, const char* what) {
  if (!condition) std::printf("FAILED: %s\n", what);
  return condition ? 0 : 1;
}

Task<int> ask_all(asio::io_context& io, MpiSession& mpi, EvaluatorPool& pool, MpiHub& hub,
                  const std::vector<std::string>& told) {
  asio::co_spawn(io, hub.run(), asio::detached);
  co_await hub.wait_for(mpi.size() - 1);
  int wrong = expect(hub.all_devices().size() == 2, "both ranks are known");
  for (const DeviceFacts& one : hub.all_devices())
    wrong += expect(one.problem.empty() == (one.rank != stranger), "the stranger alone cannot be used");
  wrong += expect(pool.usable() == 1, "the stranger gets no work");
  int sound = 0, faults = 0;
  for (int i = 0; i < calls && pool.usable() > 0; ++i) {
    Json request = {{"number", i}};
    const Json reply = co_await pool.call("hotspot", std::move(request));
    sound += reply.contains("value");
    faults += reply.contains("error");
  }
  wrong += expect(sound == calls / 2 && faults == calls / 2, "sound answers arrive, others are faults");
  wrong += expect(co_await hub.stop(10, 0), "all say goodbye");
  wrong += expect(told.size() == 2, "each rank's rubbish is told of once");
  co_return wrong;
}

int run(int* argc, char*** argv) {
  MpiSession mpi(argc, argv);
  asio::io_context io;
  if (mpi.rank() != 0) {
    asio::co_spawn(io, serve(mpi), [&](std::exception_ptr) { io.stop(); });
    io.run();
    return 0;
  }
  EvaluatorPool pool(io);
  MpiHub hub(io, mpi, pool);
  std::vector<std::string> told;
  hub.on_broken([&](const std::string& text) {
    std::printf("%s\n", text.c_str());
    told.push_back(text);
  });
  int wrong = 1;
  asio::co_spawn(io, ask_all(io, mpi, pool, hub, told), [&](std::exception_ptr failure, int count) {
    wrong = failure ? 1 : count;
    io.stop();
  });
  io.run();
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  return noctune::run(&argc, &argv);
}
