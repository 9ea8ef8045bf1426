// How fast the store is: journal records a second, seconds to build the results file of many evaluations, and
// seconds to resume from them. Usage: store_benchmark [evaluations] [samples a side] [folder]
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "made_up.hpp"
#include "store/journal.hpp"
#include "store/recorder.hpp"

using namespace noctune;

namespace {

void report(const char* what, double value, const char* unit) {
  std::printf("%-44s %12.6g %s\n", what, value, unit);
}

void run(const std::filesystem::path& target, int evaluations, int samples) {
  RunHeader header;
  header.campaign = "benchmark";
  std::mt19937_64 random(1);
  {
    auto recorder = value_or_throw(Recorder::open(target, header));
    HotspotRow hotspot;
    hotspot.name = "gemm";
    const long long id = recorder->hotspot(hotspot);
    CaseRow size;
    size.hotspot = id;
    size.name = "main";
    recorder->case_(size);
    std::vector<Evaluation> pool;  // different numbers, so that compression has real work
    for (int i = 0; i < 997; ++i) pool.push_back(made_up_evaluation(random, samples));
    EvaluationContext context;
    context.hotspot = id;
    const Stopwatch watch;
    for (int i = 0; i < evaluations; ++i) {
      context.candidate = i + 1;
      context.key = "candidate " + std::to_string(i);
      recorder->evaluation(context, pool[static_cast<std::size_t>(i) % pool.size()]);
    }
    value_or_throw(recorder->sync());
    report("evaluation records", evaluations / watch.seconds(), "records/s");
    report("a record", 1e6 * watch.seconds() / evaluations, "us");
    const Stopwatch events;
    constexpr int event_count = 100'000;
    for (int i = 0; i < event_count; ++i) recorder->event(0, EventLevel::info, id, "a short line of the log");
    value_or_throw(recorder->sync());
    report("event records", event_count / events.seconds(), "records/s");
    const Stopwatch synced;
    constexpr int synced_count = 500;
    for (int i = 0; i < synced_count; ++i) {
      recorder->event(0, EventLevel::info, id, "committed");
      value_or_throw(recorder->sync());
    }
    report("event records, each committed", synced_count / synced.seconds(), "records/s");
    const BuildFacts facts = value_or_throw(recorder->finish("finished"));
    report("building the results file", facts.seconds, "s");
    report("rows of /samples", static_cast<double>(facts.rows.at("samples")), "rows");
  }
  std::uintmax_t journal_bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(journal_folder(target)))
    journal_bytes += file.file_size();
  report("journal", static_cast<double>(journal_bytes) / 1e6, "MB");
  report("results file", static_cast<double>(std::filesystem::file_size(target)) / 1e6, "MB");
  const Stopwatch watch;
  auto recorder = value_or_throw(Recorder::open(target, header));
  report("resuming", watch.seconds(), "s");
  const Stopwatch known;
  constexpr int looked_up = 1000;
  int found = 0;
  for (int i = 0; i < looked_up; ++i)
    found += recorder->known_evaluation("candidate " + std::to_string(i)).has_value();
  report("answering a known evaluation", 1e6 * known.seconds() / std::max(found, 1), "us");
}

}  // namespace

int main(int argc, char** argv) try {
  const int evaluations = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const int samples = argc > 2 ? std::atoi(argv[2]) : 30;
  const ScratchFolder scratch = value_or_throw(ScratchFolder::make("noctune-store", argc > 3 ? argv[3] : ""));
  run(scratch.path() / "results.h5", evaluations, samples);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "store_benchmark: %s\n", error.what());
  return 1;
}
