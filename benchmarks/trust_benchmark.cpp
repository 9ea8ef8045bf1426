// How far the verdicts can be trusted. Identical code against itself counts false `faster`; versions of which
// the original has 1, 3 or 10 % more work count how many gains are found. Every experiment is a hotspot of
// its own that takes the flow's way: baselining, gates, screening against K(0), fresh process pairs,
// Student's t, Holm's adjustment over the hotspots of a campaign. build/bin/trust_benchmark --help
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <random>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/topology.hpp"
#include "evaluator/evaluator_host.hpp"
#include "evaluator/placement.hpp"
#include "trust/experiment.hpp"
#include "trust/load.hpp"
#include "trust/tally.hpp"

namespace noctune::trust {
namespace {

struct Options {
  int experiments = 400, hotspots = 8, load = 0;
  std::vector<int> planted = {0, 1, 3, 10};
  unsigned long long seed = 1;
  std::string json;
  Settings settings;
};

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app("False `faster` verdicts on identical code, and gains found of planted size");
  app.add_option("--experiments", options.experiments, "For each planted size [400]");
  app.add_option("--planted", options.planted, "Percent of work the original has more [0,1,3,10]")
      ->delimiter(',');
  app.add_option("--hotspots", options.hotspots, "Experiments of a campaign, adjusted together [8]");
  app.add_option("--kernel-ms", options.settings.kernel_ms, "Time of one call [1]");
  app.add_option("--repeats", options.settings.repeats, "Samples a side in one pair [30]")
      ->check(CLI::Range(3, 10000));
  app.add_option("--flush-mb", options.settings.flush_mb,
                 "Swept before each sample; negative: as campaigns do, twice the last-level cache [-1]");
  app.add_flag("--confirm-all", options.settings.confirm_all,
               "Confirm also what screening drops; tells the test's own error rate");
  app.add_option("--load", options.load, "Processes that keep the machine busy meanwhile [0]");
  app.add_option("--seed", options.seed, "Order of the campaigns [1]");
  app.add_option("--json", options.json, "File for every experiment's numbers; rewritten as they come");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& answered) {
    std::exit(app.exit(answered) == 0 ? 0 : 2);
  }
  return options;
}

// Campaigns of one planted size each, in random order, so that a drift of the machine meets all sizes.
std::vector<std::vector<int>> campaigns_of(const Options& options) {
  std::vector<std::vector<int>> out;
  for (const int planted : options.planted)
    for (int left = options.experiments; left > 0; left -= options.hotspots)
      out.emplace_back(static_cast<std::size_t>(std::min(left, options.hotspots)), planted);
  std::shuffle(out.begin(), out.end(), std::mt19937_64(options.seed));
  return out;
}

class Run {
 public:
  Run(const Options& options, Bench& bench, Load& load)
      : options_(options), bench_(bench), load_(load), signals_(bench.io, SIGINT, SIGTERM) {
    signals_.async_wait([this](const asio::error_code& error, int) {
      if (error) return;
      bench_.stopping = true;
      bench_.helper.cancel_all();
    });
  }

  Task<void> measure() {
    for (const int planted : options_.planted) {
      Calibration one = co_await calibrate(bench_, planted, options_.settings);
      calibrations_.push_back(std::move(one));
    }
    std::printf("%s\n", calibration_table(calibrations_).c_str());
    load_.start();
    for (const std::vector<int>& campaign : campaigns_of(options_)) {
      if (bench_.stopping) break;
      co_await run_campaign(campaign);
    }
    std::fprintf(stderr, "\n");
    std::printf("%s", tally_table(done_).c_str());
    signals_.cancel();
  }

 private:
  Task<void> run_campaign(std::vector<int> campaign) {
    std::vector<Experiment> hotspots;
    for (const int planted : campaign) {
      Experiment one = co_await run_experiment(bench_, planted, ++number_, options_.settings);
      if (bench_.stopping) co_return;  // half a campaign has no verdicts
      if (!one.problem.empty()) std::fprintf(stderr, "\nexperiment %d: %s\n", number_, one.problem.c_str());
      hotspots.push_back(std::move(one));
      std::fprintf(stderr, "\r%d of %zu experiments ", number_,
                   options_.planted.size() * static_cast<std::size_t>(options_.experiments));
    }
    conclude_campaign(hotspots);
    done_.insert(done_.end(), hotspots.begin(), hotspots.end());
    save();
  }

  void save() const {
    if (options_.json.empty()) return;
    Json all = {{"kernel_ms", options_.settings.kernel_ms},
                {"repeats", options_.settings.repeats},
                {"hotspots", options_.hotspots},
                {"load", load_.count()},
                {"seed", options_.seed},
                {"cpus", cpu_list(bench_.device.measured_cpus)},
                {"processor", bench_.device.name},
                {"written", iso_time(wall_seconds())},
                {"calibrations", Json::array()},
                {"experiments", Json::array()}};
    for (const Calibration& one : calibrations_) all["calibrations"].push_back(to_json(one));
    for (const Experiment& one : done_) all["experiments"].push_back(to_json(one));
    value_or_throw(replace_file(options_.json, all.dump() + "\n"), Exit::failure);
  }

  const Options& options_;
  Bench& bench_;
  Load& load_;
  asio::signal_set signals_;
  std::vector<Calibration> calibrations_;
  std::vector<Experiment> done_;
  int number_ = 0;
};

// As the flow places one evaluator on this machine.
DeviceFacts device_here() {
  HostFacts host = read_host();
  const std::vector<int> allowed = allowed_cpus();
  std::erase_if(host.cores, [&](const CpuCore& core) {
    return std::find(allowed.begin(), allowed.end(), core.cpus.front()) == allowed.end();
  });
  const Placement placement = place_evaluators(host.cores, 1).front();
  DeviceFacts facts;
  facts.name = host.cpu_model;
  facts.measured_cpus = placement.measured_cpus;
  facts.build_cpus = placement.build_cpus;
  facts.shares_token = placement.shares_token;
  facts.last_level_cache_bytes = host.last_level_cache_bytes;
  return facts;
}

int run(const Options& options) {
  Load load(options.load);  // before threads
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()));
  asio::io_context io;
  const DeviceFacts facts = device_here();
  EvaluatorHost host(io, helper, facts, "trust-benchmark-" + std::to_string(::getpid()));
  Bench& bench = host.bench();
  std::printf("%s, measured on cpus %s, %d load processes, R = %d, campaigns of %d hotspots\n\n",
              facts.name.c_str(), cpu_list(facts.measured_cpus).c_str(), options.load,
              options.settings.repeats, options.hotspots);
  Run all(options, bench, load);
  std::exception_ptr failure;
  asio::co_spawn(io, all.measure(), [&](std::exception_ptr thrown) {
    failure = thrown;
    io.stop();
  });
  io.run();
  if (failure) std::rethrow_exception(failure);
  return bench.stopping ? 1 : 0;
}

}  // namespace
}  // namespace noctune::trust

int main(int argc, char** argv) {
  const noctune::trust::Options options = noctune::trust::parse(argc, argv);
  try {
    return noctune::trust::run(options);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "trust_benchmark: %s\n", failure.what());
    return 1;
  }
}
