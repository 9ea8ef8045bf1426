// How long the report of a large campaign takes, and how much memory. The file is made first.
// Usage: report_benchmark [evaluations] [samples a side] [folder]
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "made_up.hpp"
#include "report/html_page.hpp"
#include "report/report.hpp"
#include "report/t4.hpp"
#include "store/recorder.hpp"

using namespace noctune;

namespace {

constexpr int hotspots = 40;

Candidate made_up_candidate(int number) {
  Candidate out;
  out.source = "void kernel() { /* " + std::to_string(number) + " */ }\n";
  out.proposer = number < hotspots ? "original" : "rules";
  out.strategies = {"loop interchange", "tiling"};
  out.sha = candidate_sha(out);
  return out;
}

void record(const std::filesystem::path& target, int evaluations, int samples) {
  RunHeader header;
  header.campaign = "benchmark";
  auto recorder = value_or_throw(Recorder::open(target, header));
  DeviceRow device;
  device.rank = 1;
  device.name = "made up";
  device.measure_cpus = "0-7";
  recorder->device(device);
  std::mt19937_64 random(1);
  for (int i = 0; i < evaluations; ++i) {
    HotspotRow hotspot;
    hotspot.name = "hotspot" + std::to_string(i % hotspots);
    hotspot.verdict = HotspotVerdict::faster;
    hotspot.standalone_speedup = 2;
    hotspot.best_candidate = i % hotspots + hotspots + 1;
    EvaluationContext context;
    context.hotspot = i % hotspots + 1;
    if (i < hotspots) recorder->hotspot(hotspot);
    context.candidate = recorder->candidate(context.hotspot, i / hotspots / 3, i % 3, made_up_candidate(i));
    context.reference = context.hotspot;
    context.key = std::to_string(i);
    Evaluation evaluation = made_up_evaluation(random, samples);
    evaluation.device = 1;
    evaluation.started += i;
    evaluation.seconds = {0.3, 0.2, 0.4, 0};
    recorder->evaluation(context, evaluation);
  }
  value_or_throw(recorder->finish("finished"));
}

// In a process of its own, so that its memory can be told.
void measure(const char* what, const std::function<std::size_t()>& work) {
  std::fflush(nullptr);
  const Stopwatch watch;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::size_t bytes = work();
    std::printf("%-28s %10zu bytes", what, bytes);
    std::fflush(nullptr);
    ::_exit(0);
  }
  int status = 0;
  struct rusage used {};
  ::wait4(child, &status, 0, &used);
  std::printf(" %8.2f s wall %8.2f s CPU %8.1f MB%s\n", watch.seconds(),
              static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec),
              1e-3 * static_cast<double>(used.ru_maxrss), status == 0 ? "" : " FAILED");
}

}  // namespace

int main(int argc, char** argv) try {
  const int evaluations = argc > 1 ? std::atoi(argv[1]) : 100'000;
  const int samples = argc > 2 ? std::atoi(argv[2]) : 3;
  const ScratchFolder scratch =
      value_or_throw(ScratchFolder::make("noctune-report", argc > 3 ? argv[3] : ""));
  const std::filesystem::path target = scratch.path() / "results.h5";
  // Recording fills the memory, which a forked reader would be charged with.
  measure("recording", [&] {
    record(target, evaluations, samples);
    return static_cast<std::size_t>(std::filesystem::file_size(target));
  });
  const auto open = [&] { return value_or_throw(ResultsFile::open(target)); };
  measure("report in the terminal",
          [&] { return value_or_throw(render_report(open(), ReportOptions{})).size(); });
  measure("page", [&] {
    const ResultsFile results = open();
    return value_or_throw(html_report(results, value_or_throw(read_report_data(results)))).size();
  });
  measure("T4", [&] {
    const ResultsFile results = open();
    return value_or_throw(t4_text(results, value_or_throw(read_report_data(results)))).size();
  });
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "report_benchmark: %s\n", error.what());
  return 1;
}
