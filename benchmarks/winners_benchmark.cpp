// The winners of a campaign beside hand-tuned versions of the same hotspots: both are taken through the
// evaluator's own gates, the hand-tuned one as the candidate and the winner as its reference, in fresh
// process pairs. build/bin/winners_benchmark CONFIG RESULTS.h5 [pairs]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/rank_layout.hpp"
#include "base/files.hpp"
#include "base/run_to_end.hpp"
#include "base/text.hpp"
#include "coordinator/load_hotspots.hpp"
#include "evaluator/evaluator_host.hpp"
#include "evaluator/statistics.hpp"
#include "model/backend.hpp"
#include "model/campaign_json.hpp"
#include "places.hpp"
#include "store/results_file.hpp"

namespace noctune {
namespace {

struct Winner {
  Candidate candidate;
  double speedup = 0;
};

Winner winner_of(const ResultsFile& results, const std::string& hotspot) {
  const Hdf5Columns hotspots =
      value_or_throw(results.columns("hotspots", {"name", "best_candidate", "standalone_speedup"}));
  const Hdf5Columns candidates =
      value_or_throw(results.columns("candidates", {"id", "source_sha", "flags", "proposer"}));
  Winner out;
  for (std::size_t i = 0; i < hotspots.rows(); ++i) {
    if (hotspots.texts("name")[i] != hotspot) continue;
    out.speedup = hotspots.numbers("standalone_speedup")[i];
    for (std::size_t k = 0; k < candidates.rows(); ++k) {
      if (candidates.integers("id")[k] != hotspots.integers("best_candidate")[i]) continue;
      out.candidate.source = value_or_throw(results.text(candidates.texts("source_sha")[k]));
      out.candidate.proposer = candidates.texts("proposer")[k];
      std::istringstream flags(candidates.texts("flags")[k]);
      for (std::string flag; flags >> flag;) out.candidate.extra_flags.push_back(flag);
    }
  }
  return out;
}

Task<void> compare(Evaluator& evaluator, PrepareTask setup, Winner winner, std::string handtuned, int pairs) {
  const Baselined done = co_await evaluator.prepare(setup);
  if (!done.report.usable) {
    std::printf("%-12s %s\n", setup.mep.hotspot.c_str(), done.report.message.c_str());
    co_return;
  }
  EvaluationTask task;
  task.setup = setup;
  task.report = done.report;
  task.candidate.source = std::move(handtuned);
  task.candidate.proposer = "user";
  task.reference = winner.candidate;
  std::vector<double> logs;
  for (int pair = 0; pair < pairs; ++pair) {
    task.purpose = pair == 0 ? Purpose::screen : Purpose::confirm;
    const Evaluation evaluation = co_await evaluator.evaluate(task);
    if (evaluation.verdict != Verdict::ok) {
      std::printf("%-12s hand-tuned version: %s, %s\n", setup.mep.hotspot.c_str(),
                  to_text(evaluation.verdict), evaluation.message.c_str());
      co_return;
    }
    logs.push_back(-std::log(evaluation.speedup));
  }
  const StudentResult t = student_t(logs);
  std::printf("%-12s %9.2f %16.2f   [%.2f, %.2f]\n", setup.mep.hotspot.c_str(), winner.speedup,
              std::exp(t.mean), std::exp(t.low), std::exp(t.high));
  std::fflush(stdout);
}

std::string handtuned_file(const PrepareTask& task) {
  const std::string folder =
      runs_on_gpu(task.platform.backend) ? "/hotspots/cuda/tuned/" : "/benchmarks/handtuned/";
  return NOCTUNE_SOURCE_DIR + folder + task.mep.hotspot +
         (runs_on_gpu(task.platform.backend) ? ".cu" : ".cpp");
}

Task<void> compare_all(EvaluatorHost& host, Campaign campaign, const ResultsFile& results, int pairs) {
  co_await host.probe(campaign.platform);
  if (!host.facts().problem.empty()) throw std::runtime_error(host.facts().problem);
  Evaluator evaluator(host.bench());
  std::printf("%-12s %9s %16s   95 %% interval\n", "hotspot", "speed-up", "of hand-tuned");
  const std::vector<LoadedHotspot> hotspots = load_hotspots(campaign);
  for (const auto& [task, open] : hotspots) {
    if (open) continue;  // without a spec there is no hand-tuned version either
    const std::string file = handtuned_file(task);
    if (!std::filesystem::exists(file)) continue;
    co_await compare(evaluator, task, winner_of(results, task.mep.hotspot), value_or_throw(read_file(file)),
                     pairs);
  }
}

int run(const std::string& config, const std::string& file, int pairs) {
  const Campaign campaign = read_campaign(config, {});
  const ResultsFile results = value_or_throw(ResultsFile::open(file));
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()));
  asio::io_context io;
  EvaluatorHost host(io, helper, device_facts(lay_out_alone(campaign.platform.backend)), "benchmark");
  run_to_end(io, compare_all(host, campaign, results, pairs));
  return 0;
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: winners_benchmark CONFIG RESULTS.h5 [pairs]\n");
    return 2;
  }
  try {
    return noctune::run(argv[1], argv[2], argc > 3 ? std::atoi(argv[3]) : 5);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "winners_benchmark: %s\n", failure.what());
    return 1;
  }
}
