#include "app/prompt.hpp"

#include <cstdio>

#include "app/one_hotspot.hpp"
#include "app/rank_layout.hpp"
#include "app/step_line.hpp"
#include "app/stop_watch.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "coordinator/completion.hpp"
#include "coordinator/inheritance.hpp"
#include "coordinator/load_hotspots.hpp"
#include "coordinator/patterns/campaign_patterns.hpp"
#include "coordinator/prompts/prompts.hpp"
#include "evaluator/evaluator_host.hpp"
#include "model/campaign_json.hpp"

namespace noctune {
namespace {

// The idea that a first `write` is shown with, where no plan was made.
Hypothesis example_idea() {
  Hypothesis out;
  out.name = "the name of a hypothesis of the plan";
  out.mechanism = mechanisms.front();
  out.what = "what the hypothesis says is to be changed";
  return out;
}

ChatRequest rendered(const std::string& purpose, const PromptInput& input, const SearchSettings& search) {
  const PromptTemplates templates = value_or_throw(PromptTemplates::load(prompts_folder()));
  if (purpose == "write") return write_prompt(templates, input, example_idea());
  if (purpose == "direct") return direct_prompt(templates, input);
  if (purpose == "sampling") return sampling_prompt(templates, input);
  return plan_prompt(templates, input, 2 * search.candidates);
}

// As round 1 finds it: nothing was tried, the library offers what applies.
PromptInput first_input(const Campaign& campaign, const PrepareTask& task, const MepReport& report,
                        const DeviceFacts& device) {
  PromptInput out;
  out.task = task;
  out.report = report;
  out.device = device;
  out.rounds_left = task.search.rounds;
  CampaignPatterns patterns(value_or_throw(PatternLibrary::open(campaign.patterns.library, "")),
                            campaign.name);
  value_or_throw(patterns.add_rule_patterns());
  const PatternSubject subject{task, report, device};
  const Candidate original = original_of(task);
  out.features = patterns.features(subject, original);
  long long id = 0;
  for (const Offer& offer : patterns.offers(subject, original))
    out.patterns.push_back(offered_pattern(++id, offer));
  return out;
}

void print(const ChatRequest& request) {
  for (const ChatMessage& message : request.messages)
    std::printf("=== %s ===\n%s\n", to_text(message.role), message.content.c_str());
  std::fflush(stdout);
}

class PromptRun {
 public:
  PromptRun(const Options& options, Campaign campaign, PrepareTask task, ProcessHelper& helper)
      : options_(options),
        campaign_(std::move(campaign)),
        task_(std::move(task)),
        stop_watch_(io_, {}, {[this](const std::string&, bool) { host_->cancel(); }, [] {}}) {
    const RankLayout layout = lay_out_alone(campaign_.platform.backend);
    host_ = std::make_unique<EvaluatorHost>(io_, helper, device_facts(layout), layout.run_token);
  }

  int run() {
    stop_watch_.start();
    asio::co_spawn(io_, step_.tick(), asio::detached);
    return static_cast<int>(run_to_end(io_, render()));
  }

 private:
  Task<Exit> render() {
    step_.begin("completing " + task_.mep.hotspot + ": sizes, tolerance and times stand in the prompt");
    co_await host_->probe(task_.platform);
    if (!host_->facts().problem.empty()) throw UserError({host_->facts().problem}, Exit::no_device);
    const Baselined done = co_await host_->evaluator().prepare(task_);
    step_.end();
    if (stop_watch_.stopping()) co_return Exit::resumable;
    if (!done.report.usable) throw UserError({done.report.message}, Exit::no_baseline);
    print(
        rendered(options_.purpose, first_input(campaign_, task_, done.report, host_->facts()), task_.search));
    co_return Exit::ok;
  }

  const Options& options_;
  Campaign campaign_;
  PrepareTask task_;
  asio::io_context io_;
  StopWatch stop_watch_;
  std::unique_ptr<EvaluatorHost> host_;
  StepLine step_;
};

// The request that completes a MEP, where the baseline has not refused a draft of the rules yet.
int completion_request(Campaign campaign) {
  HotspotConfig& hotspot = campaign.hotspots.front();
  if (!hotspot.mep_path.empty())
    throw UserError({hotspot.name + ": its MEP is given by " + hotspot.mep_path,
                     "nobody is asked to complete it", "leave out `mep` to have it completed"});
  hotspot.complete = {"rules", "model"};
  const LoadedHotspot loaded = load_hotspots(campaign).front();
  const PromptTemplates templates = value_or_throw(PromptTemplates::load(prompts_folder()));
  print(complete_prompt(templates,
                        completion_prompt(loaded, device_facts(lay_out_alone(campaign.platform.backend)))));
  return 0;
}

}  // namespace

int prompt(const Options& options) {
  if (launcher_rank() != 0) return 0;
  Campaign campaign = read_campaign(options.config, options.overrides);
  keep_only(campaign, options.hotspot);
  if (options.purpose == "complete") return completion_request(std::move(campaign));
  PrepareTask task = task_with_mep(load_hotspots(campaign).front());
  scrub_environment();
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()), Exit::failure);
  PromptRun run(options, std::move(campaign), std::move(task), helper);
  return run.run();
}

}  // namespace noctune
