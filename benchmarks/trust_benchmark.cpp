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
#include <functional>
#include <map>
#include <random>

#include "app/rank_layout.hpp"
#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/run_to_end.hpp"
#include "coordinator/gather.hpp"
#include "evaluator/evaluator_host.hpp"
#include "model/backend.hpp"
#include "trust/experiment.hpp"
#include "trust/load.hpp"
#include "trust/tally.hpp"

namespace noctune::trust {
namespace {

constexpr double grace_s = 30;  // for what is at work when the time is used up

struct Options {
  std::string backend = "openmp", json;
  int experiments = 400, hotspots = 8, load = 0, in_flight = 0;
  std::vector<std::string> kernels = {"compute"};
  std::vector<double> kernel_ms = {1};
  std::vector<int> planted = {0, 1, 3, 10};
  bool share_baseline = false;
  double seconds = 0;
  unsigned long long seed = 1;
  Settings settings;
};

void declare_experiments(CLI::App& app, Options& options) {
  app.add_option("--backend", options.backend, "openmp, cuda or hip [openmp]")
      ->check(CLI::IsMember({"openmp", "cuda", "hip"}));
  app.add_option("--experiments", options.experiments, "For each kernel, time and planted size [400]");
  app.add_option("--planted", options.planted, "Percent of work the original has more [0,1,3,10]")
      ->delimiter(',');
  app.add_option("--kernel", options.kernels, "What limits it: compute, memory or both [compute]")
      ->delimiter(',')
      ->check(CLI::IsMember({"compute", "memory"}));
  app.add_option("--kernel-ms", options.kernel_ms, "Times of one call; below 0.1 it is batched [1]")
      ->delimiter(',')
      ->check(CLI::Range(1e-4, 1e4));
  app.add_option("--hotspots", options.hotspots, "Experiments of a campaign, adjusted together [8]")
      ->check(CLI::PositiveNumber);
  app.add_option("--repeats", options.settings.measuring.repeats, "Samples a side in one pair [30]")
      ->check(CLI::Range(3, 10000));
  app.add_option("--flush-mb", options.settings.measuring.flush_mb,
                 "Swept before each sample; negative: as campaigns do [-1]");
  const std::map<std::string, Confirm> ways = {{"none", Confirm::none},
                                               {"promoted", Confirm::promoted},
                                               {"finalists", Confirm::finalists},
                                               {"all", Confirm::all}};
  app.add_option("--confirm", options.settings.confirm,
                 "In fresh process pairs: finalists as the flow, only what a round would promote, none, or "
                 "all, which tells the test's own error rate [finalists]")
      ->transform(CLI::CheckedTransformer(ways));
}

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app("False `faster` verdicts on identical code, and gains found of planted size");
  declare_experiments(app, options);
  app.add_flag("--share-baseline", options.share_baseline,
               "Complete one original for all experiments of a kernel, time and planted size; where building "
               "takes long");
  app.add_option("--in-flight", options.in_flight,
                 "Experiments at once, one of which measures [1, on GPUs 4]");
  app.add_option("--seconds", options.seconds,
                 "Begin no experiment after so long, and report over what was done; 0: no limit [0]");
  app.add_option("--load", options.load, "Processes that keep the machine busy meanwhile [0]");
  app.add_option("--seed", options.seed, "Order of the campaigns [1]");
  app.add_option("--json", options.json, "File for every experiment's numbers; rewritten as they come");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& answered) {
    std::exit(app.exit(answered) == 0 ? 0 : 2);
  }
  if (options.in_flight <= 0) options.in_flight = runs_on_gpu(options.backend) ? 4 : 1;
  return options;
}

// All experiments of one kernel and planted size.
struct Series {
  Kernel kernel;
  int planted = 0;
  std::shared_ptr<Original> original = nullptr;  // where they share one
};

struct Campaign {
  std::size_t series = 0, hotspots = 0;
};

// Of one series each, in random order, so that a drift of the machine meets all sizes.
std::vector<Campaign> campaigns_of(const Options& options, std::size_t series) {
  std::vector<Campaign> out;
  for (std::size_t one = 0; one < series; ++one)
    for (int left = options.experiments; left > 0; left -= options.hotspots)
      out.push_back({one, static_cast<std::size_t>(std::min(left, options.hotspots))});
  std::shuffle(out.begin(), out.end(), std::mt19937_64(options.seed));
  return out;
}

class Run {
 public:
  Run(const Options& options, EvaluatorHost& host, Load& load)
      : options_(options),
        host_(host),
        bench_(host.bench()),
        load_(load),
        signals_(bench_.io, SIGINT, SIGTERM),
        deadline_(bench_.io) {
    signals_.async_wait([this](const asio::error_code& error, int) {
      if (error) return;
      interrupted_ = true;
      host_.cancel();
    });
    if (options.seconds <= 0) return;
    deadline_.expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(
        std::chrono::duration<double>(options.seconds + grace_s)));
    deadline_.async_wait([this](const asio::error_code& error) {
      if (!error) host_.cancel();
    });
  }

  bool interrupted() const { return interrupted_; }

  Task<void> measure() {
    co_await host_.probe(default_platform(options_.backend));
    if (!host_.facts().problem.empty()) throw std::runtime_error(host_.facts().problem);
    co_await find_sizes();
    if (series_.empty()) throw std::runtime_error("no kernel could be timed");
    co_await set_up();
    if (!calibrations_.empty()) std::printf("\n%s\n", calibration_table(calibrations_).c_str());
    std::fflush(stdout);
    load_.start();
    for (const Campaign& campaign : campaigns_of(options_, series_.size())) {
      if (ended()) break;
      co_await run_campaign(campaign);
    }
    std::printf("\n%zu of %zu experiments in %.0f s\n%s", done_.size(),
                series_.size() * static_cast<std::size_t>(options_.experiments), clock_.seconds(),
                tally_table(done_).c_str());
    signals_.cancel();
    deadline_.cancel();
  }

 private:
  bool ended() const {
    return bench_.stopping || (options_.seconds > 0 && clock_.seconds() > options_.seconds);
  }

  // Calls `work` for 0, 1, ... count - 1, as many at once as are wanted, until the time is used up.
  Task<void> in_lanes(std::size_t count, std::function<Task<void>(std::size_t)> work) {
    std::size_t next = 0;
    std::vector<Task<int>> lanes;
    for (int i = 0; i < options_.in_flight; ++i) lanes.push_back(lane(next, count, work));
    co_await gather(bench_.io, std::move(lanes));
  }
  Task<int> lane(std::size_t& next, std::size_t count, const std::function<Task<void>(std::size_t)>& work) {
    int done = 0;
    for (; next < count && !ended(); ++done) co_await work(next++);
    co_return done;
  }

  Task<void> find_sizes() {
    std::vector<Kernel> wanted;
    for (const std::string& kind : options_.kernels)
      for (const double ms : options_.kernel_ms) wanted.push_back({options_.backend, kind, ms});
    const std::function<Task<void>(std::size_t)> find = [this, &wanted](std::size_t i) {
      return find_size(wanted[i]);
    };
    co_await in_lanes(wanted.size(), find);
  }
  Task<void> find_size(Kernel wanted) {
    const Result<Kernel> found = co_await sized(bench_, wanted, options_.settings.measuring);
    if (bench_.stopping) co_return;
    if (!found) {
      std::printf("%s: %s\n", label(wanted).c_str(), found.error().text().c_str());
      co_return;
    }
    std::printf("[%4.0f s] %s: n = %lld\n", clock_.seconds(), label(*found).c_str(), found->n);
    std::fflush(stdout);
    for (const int planted : options_.planted) series_.push_back({*found, planted});
  }

  // What is shared, and the planted differences as a long measurement sees them; identical code needs none.
  Task<void> set_up() {
    const std::function<Task<void>(std::size_t)> complete = [this](std::size_t i) {
      return complete_series(i);
    };
    co_await in_lanes(series_.size(), complete);
  }
  Task<void> complete_series(std::size_t index) {
    Series& series = series_[index];
    if (!options_.share_baseline && series.planted == 0) co_return;
    std::shared_ptr<Original> original =
        co_await completed(bench_, series.kernel, series.planted, options_.settings.measuring);
    const MepReport& report = original->baselined.report;
    std::printf("[%4.0f s] %s, %d %%: %s\n", clock_.seconds(), label(series.kernel).c_str(), series.planted,
                report.message.c_str());
    std::fflush(stdout);
    if (options_.share_baseline) series.original = original;
    if (series.planted == 0 || ended()) co_return;
    Calibration calibration = co_await calibrate(original);
    if (!bench_.stopping) calibrations_.push_back(std::move(calibration));
  }

  Task<void> run_campaign(Campaign campaign) {
    std::vector<Experiment> hotspots;
    const std::function<Task<void>(std::size_t)> experiment = [this, &campaign, &hotspots](std::size_t) {
      return add_experiment(series_[campaign.series], hotspots);
    };
    co_await in_lanes(campaign.hotspots, experiment);
    conclude_campaign(hotspots, campaign.hotspots);
    done_.insert(done_.end(), hotspots.begin(), hotspots.end());
    if (!hotspots.empty()) std::printf("[%4.0f s] %s\n", clock_.seconds(), campaign_line(hotspots).c_str());
    std::fflush(stdout);
    save();
  }

  Task<void> add_experiment(Series& series, std::vector<Experiment>& hotspots) {
    const Stopwatch watch;
    const int number = ++number_;
    std::shared_ptr<Original> original = series.original;
    if (!original)
      original = co_await completed(bench_, series.kernel, series.planted, options_.settings.measuring);
    Experiment one = co_await run_experiment(original, number, options_.settings);
    if (bench_.stopping) co_return;
    one.total_s = watch.seconds();
    if (!one.problem.empty()) std::printf("experiment %d: %s\n", number, one.problem.c_str());
    hotspots.push_back(std::move(one));
  }

  void save() const {
    if (options_.json.empty()) return;
    Json all = {{"backend", options_.backend},   {"repeats", options_.settings.measuring.repeats},
                {"hotspots", options_.hotspots}, {"load", load_.count()},
                {"seed", options_.seed},         {"cpus", cpu_list(bench_.device.measured_cpus)},
                {"device", bench_.device.name},  {"written", iso_time(wall_seconds())},
                {"calibrations", Json::array()}, {"experiments", Json::array()}};
    for (const Calibration& one : calibrations_) all["calibrations"].push_back(to_json(one));
    for (const Experiment& one : done_) all["experiments"].push_back(to_json(one));
    value_or_throw(replace_file(options_.json, all.dump() + "\n"), Exit::failure);
  }

  const Options& options_;
  EvaluatorHost& host_;
  Bench& bench_;
  Load& load_;
  const Stopwatch clock_;
  asio::signal_set signals_;
  asio::steady_timer deadline_;
  bool interrupted_ = false;
  std::vector<Series> series_;
  std::vector<Calibration> calibrations_;
  std::vector<Experiment> done_;
  int number_ = 0;
};

int run(const Options& options) {
  Load load(options.load);  // before threads
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()));
  asio::io_context io;
  const RankLayout layout = lay_out_alone(options.backend);
  EvaluatorHost host(io, helper, device_facts(layout), layout.run_token);
  std::printf("%s, measured from cpus %s, %d load processes, R = %d, campaigns of %d hotspots\n\n",
              host.facts().name.c_str(), cpu_list(host.facts().measured_cpus).c_str(), options.load,
              options.settings.measuring.repeats, options.hotspots);
  std::fflush(stdout);
  Run all(options, host, load);
  run_to_end(io, all.measure());
  return all.interrupted() ? 1 : 0;
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
