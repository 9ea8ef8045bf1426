// What rank 0 stands: a campaign with many simulated evaluators, in this process or, under mpirun, one a
// rank. Everything on rank 0's side is real (pool, fair shares, requests as they would be sent, keys,
// journal, results file); an evaluation is a timer of realistic length, shortened by `--faster`, and a
// made-up answer. Prints how busy the evaluators were, what a record costs, how long answers waited, and rank
// 0's memory.
//   coordinator_benchmark --evaluators 1000 --hotspots 200 --evaluations 100000 --faster 10
//   mpirun -n 65 coordinator_benchmark --evaluations 5000
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <random>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "base/mpi.hpp"
#include "coordinator/campaign_run.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/load_hotspots.hpp"
#include "coordinator/mpi_ranks.hpp"
#include "evaluator/service.hpp"
#include "made_up.hpp"
#include "model/campaign_json.hpp"
#include "model/evaluation_json.hpp"
#include "model/task_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

struct Settings {
  int evaluators = 1000, hotspots = 200, evaluations = 100'000;
  double seconds = 6;  // of an evaluation, median; a quarter of them takes twice as long
  double faster = 10;
  double source_kb = 0;  // added to the hotspot's source
  std::string folder;    // for the journal
};

class Silent final : public Observer {
 public:
  void event(const std::string&, bool, const std::string&) override {}
  void progress(const RunProgress&) override {}
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void say(const char* what, double value, const char* unit) {
  std::printf("%-58s %12.6g %s\n", what, value, unit);
}

// Serves one task after the other, each for as long as an evaluation takes.
class SimulatedEvaluator {
 public:
  SimulatedEvaluator(asio::io_context& io, const Settings& settings, unsigned seed)
      : io_(io), settings_(settings), random_(seed), turn_(io), ready_(made_up_evaluation(random_, 30)) {}

  Task<Json> serve() {
    const AsyncMutex::Guard guard = co_await turn_.lock();
    const double seconds = settings_.seconds * (random_() % 4 == 0 ? 2 : 1) / settings_.faster;
    co_await sleep_for(seconds);
    busy_s_ += seconds;
    co_return Json{{"evaluation", to_json(ready_)}};
  }
  double busy_s() const { return busy_s_; }

 private:
  asio::io_context& io_;
  const Settings& settings_;
  std::mt19937_64 random_;
  AsyncMutex turn_;
  Evaluation ready_;
  double busy_s_ = 0;
};

DeviceFacts device(int rank) {
  DeviceFacts facts;
  facts.rank = rank;
  facts.host = "node" + std::to_string(rank / 8);
  facts.name = "simulated";
  facts.measured_cpus = {0};
  return facts;
}

// One hotspot of the repository under many names.
EvaluationTask task_for(const PrepareTask& one, int hotspot) {
  EvaluationTask task;
  task.setup = one;
  task.setup.mep.hotspot = "hotspot" + std::to_string(hotspot);
  task.report.usable = true;
  task.report.cases = {{"main", CaseUse::time, 1, {{"n", 2048}}, 1, 1 << 25, 1e9, 1e8}};
  task.report.seeds = {1, 2, 3};
  task.reference = original_of(one);
  return task;
}

class Simulation {
 public:
  Simulation(asio::io_context& io, MpiSession& mpi, const Settings& settings)
      : io_(io), mpi_(mpi), settings_(settings), pool_(io), hub_(io, mpi, pool_) {
    Campaign campaign = read_campaign(NOCTUNE_SOURCE_DIR "/configs/first.json", {});
    task_ = task_with_mep(load_hotspots(campaign).front());
    task_.mep.original += "// " + std::string(static_cast<std::size_t>(1e3 * settings.source_kb), 'x') + '\n';
    RunHeader header;
    header.campaign = "benchmark";
    scratch_ = value_or_throw(ScratchFolder::make("noctune-coordinator", settings.folder));
    recorder_ = value_or_throw(Recorder::open(scratch_->path() / "results.h5", header));
  }

  Task<void> run() {
    if (mpi_.active()) {
      asio::co_spawn(io_, hub_.run(), asio::detached);
      co_await hub_.wait_for(mpi_.size() - 1);
    } else {
      for (int i = 0; i < settings_.evaluators; ++i) add(i);
    }
    std::vector<long long> device_ids;
    for (const DeviceFacts& one : pool_.devices()) {
      DeviceRow row;
      row.rank = one.rank;
      row.host = one.host;
      device_ids.push_back(recorder_->device(row));
    }
    const auto workers = static_cast<double>(pool_.devices().size());
    RecorderMemory memory(*recorder_, silent_, device_ids);
    std::vector<Task<int>> lanes;
    const int per_hotspot = 1 + static_cast<int>(2.2 * workers / settings_.hotspots);
    for (int i = 0; i < settings_.hotspots; ++i) {
      HotspotRow row;
      row.name = "hotspot" + std::to_string(i);
      const long long id = memory.hotspot(row);
      for (int lane = 0; lane < per_hotspot; ++lane) lanes.push_back(tune(memory, i, id));
    }
    std::printf("%.0f evaluators, %d hotspots with %d evaluations at once, %d evaluations of %.2f s\n",
                workers, settings_.hotspots, per_hotspot, settings_.evaluations,
                settings_.seconds / settings_.faster);
    say("rank 0: memory before the first evaluation, peak", peak_megabytes(), "MB");
    bool running = true;
    asio::co_spawn(io_, rebuild_now_and_then(running), asio::detached);
    const Stopwatch watch;
    const double cpu = cpu_seconds();
    const std::vector<int> done = co_await gather(io_, std::move(lanes));
    const double seconds = watch.seconds(), used = cpu_seconds() - cpu;
    running = false;
    say("evaluations a second", settings_.evaluations / seconds, "1/s");
    say("evaluations of a hotspot's lane, fewest", *std::min_element(done.begin(), done.end()), "");
    say("evaluations of a hotspot's lane, most", *std::max_element(done.begin(), done.end()), "");
    if (!mpi_.active()) {
      double busy = 0;
      for (const auto& one : evaluators_) busy += one->busy_s();
      say("evaluators busy", 100 * busy / (seconds * workers), "%");
      say("a request as it is sent, mean", static_cast<double>(bytes_sent_) / settings_.evaluations / 1e3,
          "kB");
    }
    say("rank 0: processor time of an evaluation, all in", 1e6 * used / settings_.evaluations, "us");
    say("rank 0: of it, recording", 1e6 * recording_s_ / settings_.evaluations, "us");
    say("rank 0: longest pause of its loop", 1e3 * longest_pause_s_, "ms");
    say("rank 0: memory, peak", peak_megabytes(), "MB");
    const BuildFacts facts = value_or_throw(recorder_->finish("finished"));
    say("building the results file", facts.seconds, "s");
    say("rank 0: memory, peak, with the results file", peak_megabytes(), "MB");
    if (mpi_.active()) co_await hub_.stop(60, 0);
  }

 private:
  void add(int rank) {
    evaluators_.push_back(std::make_unique<SimulatedEvaluator>(io_, settings_, static_cast<unsigned>(rank)));
    SimulatedEvaluator& evaluator = *evaluators_.back();
    pool_.add_worker(device(rank), [this, &evaluator, rank](std::uint64_t task, const std::string& request) {
      bytes_sent_ += request.size();
      asio::co_spawn(io_, serve(evaluator, rank, task), asio::detached);
    });
  }

  Task<void> serve(SimulatedEvaluator& evaluator, int rank, std::uint64_t task) {
    const Json answer = co_await evaluator.serve();
    pool_.answered(rank, task, Json::from_cbor(Json::to_cbor(answer)));
  }

  // One evaluation after the other, as a slot of a search would ask for them; returns how many.
  Task<int> tune(RecorderMemory& memory, int hotspot, long long id) {
    EvaluationTask task = task_for(task_, hotspot);
    int done = 0;
    while (begun_ < settings_.evaluations) {
      const int n = ++begun_;
      task.candidate = task.reference;
      task.candidate.source += "// " + std::to_string(n);
      task.candidate.sha = candidate_sha(task.candidate);
      task.candidate.id = memory.candidate(id, 1, n, task.candidate);
      const std::string key = "screen/" + sha256(task.candidate.sha + task.setup.mep.sha());
      if (memory.known(key)) continue;
      Task<Evaluation> answer = pool_.evaluate(task);
      const Evaluation evaluation = co_await std::move(answer);
      const Stopwatch watch;
      memory.evaluation(id, task, key, evaluation);
      recording_s_ += watch.seconds();
      ++done;
    }
    co_return done;
  }

  // As a run does, while the loop's pauses are watched.
  Task<void> rebuild_now_and_then(const bool& running) {
    constexpr double look_s = 5e-3;
    for (long long look = 1; running; ++look) {
      const Stopwatch watch;
      co_await sleep_for(look_s);
      longest_pause_s_ = std::max(longest_pause_s_, watch.seconds() - look_s);
      if (look % 4000 == 0) recorder_->start_rebuild();
      (void)recorder_->take_rebuild();
    }
  }

  asio::io_context& io_;
  MpiSession& mpi_;
  const Settings& settings_;
  EvaluatorPool pool_;
  MpiHub hub_;
  PrepareTask task_;
  Silent silent_;
  std::optional<ScratchFolder> scratch_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::unique_ptr<SimulatedEvaluator>> evaluators_;
  std::size_t bytes_sent_ = 0;
  int begun_ = 0;
  double recording_s_ = 0, longest_pause_s_ = 0;
};

void run(int argc, char** argv, const Settings& settings) {
  MpiSession mpi(&argc, &argv);
  asio::io_context io;
  std::exception_ptr failure;
  const auto ended = [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();
  };
  if (mpi.rank() != 0) {
    SimulatedEvaluator evaluator(io, settings, static_cast<unsigned>(mpi.rank()));
    asio::co_spawn(io,
                   serve_rank(
                       io, mpi, device(mpi.rank()), [&](Json) { return evaluator.serve(); }, [] {}),
                   [&](std::exception_ptr thrown, int) { ended(thrown); });
    io.run();
  } else {
    Simulation simulation(io, mpi, settings);
    asio::co_spawn(io, simulation.run(), ended);
    io.run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) try {
  noctune::Settings settings;
  CLI::App app("What rank 0 stands: many simulated evaluators, in this process or one a rank");
  app.add_option("--evaluators", settings.evaluators, "Without mpirun; with it, one a rank but the first");
  app.add_option("--hotspots", settings.hotspots);
  app.add_option("--evaluations", settings.evaluations);
  app.add_option("--seconds", settings.seconds, "Of an evaluation");
  app.add_option("--faster", settings.faster, "Divides the seconds");
  app.add_option("--source-kb", settings.source_kb, "Makes the hotspot's source longer");
  app.add_option("--folder", settings.folder, "Where journal and results file lie");
  CLI11_PARSE(app, argc, argv);
  noctune::run(argc, argv, settings);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "coordinator_benchmark: %s\n", error.what());
  return 1;
}
