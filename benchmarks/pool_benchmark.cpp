// The evaluator pool over MPI: round trips per second with 64 KiB payloads, and what idle ranks cost.
// mpirun -n 2 build/bin/pool_benchmark
#include <sys/resource.h>

#include <cstdio>
#include <string>

#include "base/clock.hpp"
#include "base/mpi.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/mpi_ranks.hpp"
#include "evaluator/service.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

constexpr double measure_s = 3, idle_s = 5;
constexpr std::size_t payload_bytes = 64 << 10;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Returns requests as replies; asked for "idle" it says what the seconds since the last such request cost.
Task<void> echo(MpiSession& mpi) {
  DeviceFacts facts;
  facts.rank = mpi.rank();
  const std::vector<std::uint8_t> hello = Json::to_cbor(to_json(facts));
  mpi.send(0, static_cast<int>(MessageType::hello), 0, std::string(hello.begin(), hello.end()));
  BackOff back_off;
  double cpu = 0;
  Stopwatch watch;
  for (bool leaving = false; !leaving || !mpi.sent_all();) {
    std::optional<MpiMessage> message = mpi.poll();
    if (!message) {
      if (!mpi.sent_all()) back_off.reset();
      co_await sleep_for(back_off.next_s());
      continue;
    }
    back_off.reset();
    if (message->type == static_cast<int>(MessageType::stop)) leaving = true;
    if (message->type != static_cast<int>(MessageType::task)) continue;
    if (message->payload.size() < 200) {
      const Json reply = {{"share", (cpu_seconds() - cpu) / watch.seconds()}};
      cpu = cpu_seconds();
      watch = Stopwatch();
      const std::vector<std::uint8_t> bytes = Json::to_cbor(reply);
      message->payload.assign(bytes.begin(), bytes.end());
    }
    mpi.send(0, static_cast<int>(MessageType::result), message->task, std::move(message->payload));
  }
  mpi.send(0, static_cast<int>(MessageType::bye), 0, {});
  while (!mpi.sent_all()) {
    mpi.poll();
    co_await sleep_for(1e-4);
  }
}

Task<long long> round_trips(EvaluatorPool& pool, int lane, double seconds) {
  const std::string payload(payload_bytes, 'x');
  long long done = 0;
  for (const Stopwatch watch; watch.seconds() < seconds; ++done) {
    Json request = {{"payload", payload}};
    co_await pool.call("lane" + std::to_string(lane), std::move(request));
  }
  co_return done;
}

Task<int> measure(asio::io_context& io, MpiSession& mpi, EvaluatorPool& pool, MpiHub& hub) {
  asio::co_spawn(io, hub.run(), asio::detached);
  co_await hub.wait_for(mpi.size() - 1);
  std::vector<Task<long long>> lanes;
  for (int lane = 0; lane < 2 * (mpi.size() - 1); ++lane) lanes.push_back(round_trips(pool, lane, measure_s));
  long long total = 0;
  for (const long long count : co_await gather(io, std::move(lanes))) total += count;
  std::printf("%-58s %12.0f 1/s\n", "round trips, 64 KiB each way, two in flight a rank",
              static_cast<double>(total) / measure_s);
  Json mark = {{"idle", true}};
  co_await pool.call("lane0", mark);
  const double cpu = cpu_seconds();
  co_await sleep_for(idle_s);
  const double mine = (cpu_seconds() - cpu) / idle_s;
  const Json theirs = co_await pool.call("lane0", mark);
  std::printf("%-58s %12.2f %%\n", "idle coordinator, share of a core", 100 * mine);
  std::printf("%-58s %12.2f %%\n", "idle evaluator, share of a core", 100 * theirs.at("share").get<double>());
  co_await hub.stop(5, 0);
  co_return 0;
}

int run(int* argc, char*** argv) {
  MpiSession mpi(argc, argv);
  if (mpi.size() < 2) {
    std::fprintf(stderr, "pool_benchmark: run it under mpirun with at least two ranks\n");
    return 2;
  }
  asio::io_context io;
  if (mpi.rank() != 0) {
    asio::co_spawn(io, echo(mpi), [&](std::exception_ptr) { io.stop(); });
    io.run();
    return 0;
  }
  EvaluatorPool pool(io);
  MpiHub hub(io, mpi, pool);
  std::printf("%s, %d ranks\n", mpi_library_version().c_str(), mpi.size());
  asio::co_spawn(io, measure(io, mpi, pool, hub), [&](std::exception_ptr, int) { io.stop(); });
  io.run();
  return 0;
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  return noctune::run(&argc, &argv);
}
