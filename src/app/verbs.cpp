#include "app/verbs.hpp"

#include <algorithm>
#include <cstdio>

#include "app/gpu_check.hpp"
#include "app/model_check.hpp"
#include "app/rank_layout.hpp"
#include "app/version.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "coordinator/load_hotspots.hpp"
#include "evaluator/evaluator_host.hpp"
#include "evaluator/hello.hpp"
#include "model/backend.hpp"
#include "model/campaign_json.hpp"
#include "store/rebuild.hpp"

namespace noctune {
namespace {

// Lines of `doctor`: what was looked at, whether it works, what was found or how to mend it.
class Findings {
 public:
  void good(const char* what, const std::string& found) {
    std::printf("ok       %-11s %s\n", what, found.c_str());
  }
  void bad(const char* what, const std::string& found) {
    std::printf("problem  %-11s %s\n", what, found.c_str());
    ++problems_;
  }
  // Works, but not as well as it could.
  void lacking(const char* what, const std::string& found) {
    std::printf("missing  %-11s %s\n", what, found.c_str());
  }
  int problems() const { return problems_; }

 private:
  int problems_ = 0;
};

void show_sandbox(const SandboxState& state, Findings& findings) {
  findings.good("sandbox", level_text(state));
  for (const SandboxPart& part : sandbox_parts(state)) {
    const std::string text =
        part.detail + (part.in_force || part.remedy.empty() ? "" : "; what helps: " + part.remedy);
    part.in_force ? findings.good((" " + part.name).c_str(), text)
                  : findings.lacking((" " + part.name).c_str(), text);
  }
}

// Without them a time that no device can reach is not noticed; everything else works.
void show_ceilings(const EvaluatorHost& host, Findings& findings) {
  if (!host.ceilings_problem().empty())
    findings.lacking("ceilings",
                     host.ceilings_problem() + "; impossible times cannot be told by the roofline");
  for (const Ceiling& ceiling : host.facts().ceilings) {
    char text[80];
    const bool seconds = ceiling.unit == "s";
    std::snprintf(text, sizeof text, "%s: %.3g %s%s", ceiling.name.c_str(),
                  (seconds ? 1e6 : 1e-9) * ceiling.value, seconds ? "u" : "G", ceiling.unit.c_str());
    findings.good("ceiling", text);
  }
}

Task<void> try_profiler(EvaluatorHost& host, PrepareTask task, MepReport report, Findings& findings) {
  EvaluationTask profile;
  profile.candidate = profile.reference = original_of(task);
  profile.setup = std::move(task);
  profile.report = std::move(report);
  profile.purpose = Purpose::profile;
  const Evaluation found = co_await host.evaluator().evaluate(std::move(profile));
  const bool counts = std::any_of(found.profile.begin(), found.profile.end(),
                                  [](const ProfileMetric& one) { return one.metric == "source:counters"; });
  if (counts)
    findings.good("profiler", found.message + " counts what kernels do");
  else
    findings.lacking("profiler", found.message + "; profiles come from compiler reports and measured times");
}

// Takes a plugin that does nothing through the gates, as candidates are.
Task<void> try_evaluator(EvaluatorHost& host, PlatformSettings platform, Findings& findings) {
  co_await host.probe(platform);
  if (!host.facts().problem.empty()) {
    findings.bad("device", host.facts().problem);
    co_return;
  }
  findings.good("compiler", host.facts().compiler);
  show_sandbox(host.sandbox(), findings);
  show_ceilings(host, findings);
  PrepareTask task = hello_task(std::move(platform));
  const Baselined done = co_await host.evaluator().prepare(task);
  if (done.report.usable) {
    findings.good("evaluator",
                  "a small kernel was built, checked and timed in the sandbox: " + done.report.message);
  } else {
    findings.bad("evaluator", done.report.message);
  }
  if (done.report.usable && runs_on_gpu(task.platform.backend))
    co_await try_profiler(host, std::move(task), done.report, findings);
}

void show_gpus(const std::string& backend, Findings& findings) {
  for (const GpuFinding& one : check_gpus(backend)) {
    const char* what = one.what.c_str();
    switch (one.kind) {
      case GpuFinding::Kind::good:
        findings.good(what, one.found);
        break;
      case GpuFinding::Kind::lacking:
        findings.lacking(what, one.found);
        break;
      case GpuFinding::Kind::bad:
        findings.bad(what, one.found);
        break;
    }
  }
}

void check_evaluator(const PlatformSettings& platform, Findings& findings) {
  Result<ProcessHelper> helper = ProcessHelper::start(sandbox_helper_path());
  if (!helper) {
    findings.bad("helper", helper.error().text());
    return;
  }
  findings.good("helper", sandbox_helper_path());
  asio::io_context io;
  const RankLayout layout = lay_out_alone(platform.backend);
  EvaluatorHost host(io, *helper, device_facts(layout), layout.run_token);
  findings.good("processors", "measure on cpus " + cpu_list(host.facts().measured_cpus) + ", build on cpus " +
                                  cpu_list(host.facts().build_cpus) + ", last-level cache " +
                                  bytes_text(static_cast<double>(host.facts().last_level_cache_bytes)));
  try {
    run_to_end(io, try_evaluator(host, platform, findings));
  } catch (const std::exception& problem) {
    findings.bad("evaluator", problem.what());
  }
}

}  // namespace

int rebuild(const Options& options) {
  const BuildFacts facts = value_or_throw(rebuild_results(options.results, options.prune));
  for (const std::string& problem : facts.problems) std::fprintf(stderr, "left out: %s\n", problem.c_str());
  std::printf("%s: %lld records of %lld runs in %s\n", options.results.c_str(), facts.records, facts.runs,
              duration_text(facts.seconds).c_str());
  return 0;
}

int doctor(const Options& options) {
  if (launcher_rank() != 0) return 0;  // one voice is enough; it looks at this node alone
  std::printf("%s\n", version_text().c_str());
  Findings findings;
  PlatformSettings platform;
  if (!options.config.empty()) {
    const Campaign campaign = read_campaign(options.config, options.overrides);
    const std::vector<LoadedHotspot> hotspots = load_hotspots(campaign);
    platform = campaign.platform;
    findings.good("campaign", campaign.config_path + ": " + std::to_string(hotspots.size()) +
                                  " hotspots, specs and "
                                  "signatures agree");
    for (const ModelFinding& one : check_model(campaign.model))
      one.good ? findings.good(one.what.c_str(), one.found) : findings.bad(one.what.c_str(), one.found);
  }
  scrub_environment();
  const int launched = launcher_process_count();
  findings.good("launcher",
                launched > 0 ? std::to_string(launched) + " processes" : "none; one process does everything");
  show_gpus(platform.backend, findings);
  check_evaluator(platform, findings);
  if (findings.problems() > 0) std::printf("%d problem(s) found\n", findings.problems());
  return static_cast<int>(findings.problems() > 0 ? Exit::no_device : Exit::ok);
}

}  // namespace noctune
