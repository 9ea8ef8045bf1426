#include "app/try.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "app/one_hotspot.hpp"
#include "app/rank_layout.hpp"
#include "app/step_line.hpp"
#include "app/stop_watch.hpp"
#include "app/terminal.hpp"
#include "base/files.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "base/topology.hpp"
#include "coordinator/load_hotspots.hpp"
#include "coordinator/prompts/extra_flags.hpp"
#include "evaluator/checking.hpp"
#include "evaluator/evaluator_host.hpp"
#include "model/campaign_json.hpp"
#include "report/gate_account.hpp"

namespace noctune {
namespace {

Candidate version_of(std::string source, std::vector<std::string> flags) {
  Candidate out;
  out.source = std::move(source);
  out.extra_flags = std::move(flags);
  out.proposer = "user";
  out.id = 1;
  out.sha = candidate_sha(out);
  return out;
}

// The flags that the version is built with beside the campaign's; those that may change values are refused.
std::vector<std::string> extra_flags(const std::string& line, const std::string& backend) {
  ReadFlags read = read_flags(line, backend);
  if (!read.refused.empty())
    throw UserError({"--flags", joined(read.refused, "; "), "allowed are " + allowed_flags_text(backend)});
  return std::move(read.accepted);
}

// What the check of this MEP looks at, by the plan that the evaluator itself follows.
CheckExtent extent_of(const MepReport& report) {
  std::vector<WorkCase> cases;
  for (const SizedCase& sized : report.cases) {
    WorkCase work;
    work.sized = sized;
    for (const std::uint64_t seed : report.seeds) work.by_seed.emplace_back().seed = seed;
    cases.push_back(std::move(work));
  }
  CheckExtent out;
  std::set<std::size_t> looked_at;
  std::set<std::uint64_t> seeds;
  for (const CheckItem& item : check_plan(cases)) {
    ++out.calls;
    looked_at.insert(item.work_case);
    seeds.insert(item.run.seed);
  }
  out.cases = static_cast<int>(looked_at.size());
  out.seeds = static_cast<int>(seeds.size());
  return out;
}

std::string device_text(const DeviceFacts& device) {
  return "cpus " + cpu_list(device.measured_cpus) + " of " + device.host + " (" + device.name + "), " +
         device.compiler;
}

class Trial {
 public:
  Trial(const Options& options, PrepareTask task, std::string source, ProcessHelper& helper)
      : file_(options.file),
        flags_(extra_flags(options.flags, task.platform.backend)),
        source_(std::move(source)),
        stop_watch_(io_, {},
                    {[this](const std::string& why, bool) { stop(why); },
                     [] { std::fputs("noctune: already stopping\n", stderr); }}),
        helper_(helper) {
    hotspot_.setup = std::move(task);
    look_.colour = live_wanted(STDOUT_FILENO);
  }

  int run() {
    stop_watch_.start();  // first: from here on a signal ends this in order
    const RankLayout layout = lay_out_alone(hotspot_.setup.platform.backend);
    host_ = std::make_unique<EvaluatorHost>(io_, helper_, device_facts(layout), layout.run_token);
    asio::co_spawn(io_, step_.tick(), asio::detached);
    return static_cast<int>(run_to_end(io_, gates()));
  }

 private:
  void stop(const std::string& why) {
    step_.end();
    std::fprintf(stderr, "noctune: stopping: %s\n", why.c_str());
    if (host_) host_->cancel();
  }

  void show(const std::string& text) {
    step_.end();
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  Task<Exit> gates() {
    co_await host_->probe(hotspot_.setup.platform);
    if (stop_watch_.stopping()) co_return Exit::resumable;
    if (!host_->facts().problem.empty()) throw UserError({host_->facts().problem}, Exit::no_device);
    hotspot_.device = device_text(host_->facts());
    const bool usable = co_await baseline();
    if (stop_watch_.stopping()) co_return Exit::resumable;
    if (!usable) co_return Exit::no_baseline;
    bool passed = co_await screen();
    if (passed && !stop_watch_.stopping()) passed = co_await confirm();
    if (stop_watch_.stopping()) co_return Exit::resumable;
    co_return passed ? Exit::ok : Exit::failure;
  }

  Task<bool> baseline() {
    step_.begin("completing " + hotspot_.setup.mep.hotspot +
                ": building, sizing, checking and timing the original");
    hotspot_.baselined = co_await host_->evaluator().prepare(hotspot_.setup);
    if (stop_watch_.stopping()) co_return false;
    show(hotspot_account(hotspot_, look_) + "\n");
    co_return hotspot_.baselined.report.usable;
  }

  EvaluationTask task(Purpose purpose, int process) const {
    EvaluationTask out;
    out.setup = hotspot_.setup;
    out.report = hotspot_.baselined.report;
    out.candidate = version_of(source_, flags_);
    out.reference = original_of(hotspot_.setup);
    out.purpose = purpose;
    out.process = process;
    return out;
  }

  Task<bool> screen() {
    step_.begin("taking " + file_ + " through policy, build, check and time");
    VersionAccount version;
    version.file = file_;
    version.flags = joined(flags_, " ");
    version.extent = extent_of(hotspot_.baselined.report);
    EvaluationTask asked = task(Purpose::screen, 0);
    version.screening = co_await host_->evaluator().evaluate(std::move(asked));
    if (stop_watch_.stopping()) co_return false;
    show(gate_account(version, hotspot_, look_));
    co_return version.screening.verdict == Verdict::ok;
  }

  // One pair after the other; the first that a gate refuses ends it.
  Task<bool> confirm() {
    const int wanted = hotspot_.setup.search.confirm_pairs;
    std::vector<Evaluation> pairs;
    for (int process = 0; process < wanted && !confirmation_of(pairs).refused; ++process) {
      step_.begin("confirming in fresh processes: pair " + std::to_string(process + 1) + " of " +
                  std::to_string(wanted));
      EvaluationTask asked = task(Purpose::confirm, process);
      Evaluation pair = co_await host_->evaluator().evaluate(std::move(asked));
      pairs.push_back(std::move(pair));
      if (stop_watch_.stopping()) co_return false;
    }
    const Confirmation confirmation = confirmation_of(pairs);
    show(confirmation_account(confirmation, pairs, hotspot_, look_));
    co_return confirmation.complete();
  }

  std::string file_;
  std::vector<std::string> flags_;
  std::string source_;
  asio::io_context io_;
  StopWatch stop_watch_;
  ProcessHelper& helper_;
  std::unique_ptr<EvaluatorHost> host_;
  StepLine step_;
  ReportOptions look_;
  HotspotAccount hotspot_;
};

}  // namespace

int try_version(const Options& options) {
  if (launcher_rank() != 0) return 0;  // one process does it all
  Campaign campaign = read_campaign(options.config, options.overrides);
  keep_only(campaign, options.hotspot);
  PrepareTask task = task_with_mep(load_hotspots(campaign).front());
  std::string source = value_or_throw(read_file(options.file));
  scrub_environment();
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()), Exit::failure);
  Trial trial(options, std::move(task), std::move(source), helper);
  return trial.run();
}

}  // namespace noctune
