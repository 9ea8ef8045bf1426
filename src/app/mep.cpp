#include "app/mep.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/campaign_chat.hpp"
#include "app/chat_endpoint.hpp"
#include "app/mep_files.hpp"
#include "app/one_hotspot.hpp"
#include "app/rank_layout.hpp"
#include "app/step_line.hpp"
#include "app/stop_watch.hpp"
#include "app/terminal.hpp"
#include "base/run_to_end.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "base/topology.hpp"
#include "coordinator/completion.hpp"
#include "evaluator/evaluator_host.hpp"
#include "model/campaign_json.hpp"
#include "report/account_lines.hpp"
#include "report/hotspot_account.hpp"
#include "report/report_style.hpp"

namespace noctune {
namespace {

// Nothing is kept between runs of this verb: a slot is asked once in each.
class CallsOfThisRun final : public CallMemory {
 public:
  std::optional<RecordedReply> known_call(long long, const CallSlot&) const override { return {}; }
  std::optional<ChatRequest> open_call(long long, const CallSlot&) const override { return {}; }
  long long call_sent(long long, const CallSlot&, const ChatRequest&) override { return ++calls_; }
  void call_answered(long long, const CallSlot&, const ChatReply&) override {}
  void call_read(long long, const CallSlot&, const std::string&) override {}

 private:
  long long calls_ = 0;
};

bool may_ask(const LoadedHotspot& one) {
  return one.open && one.open->by_model;
}

class MepRun {
 public:
  MepRun(const Options& options, Campaign campaign, std::vector<LoadedHotspot> hotspots, ApiKey key,
         ProcessHelper& helper)
      : options_(options),
        campaign_(std::move(campaign)),
        hotspots_(std::move(hotspots)),
        stop_watch_(io_, {},
                    {[this](const std::string& why, bool) { stop(why); },
                     [] { std::fputs("noctune: already stopping\n", stderr); }}),
        helper_(helper) {
    look_.colour = live_wanted(STDOUT_FILENO);
    if (std::none_of(hotspots_.begin(), hotspots_.end(), may_ask)) return;
    CampaignChatNeeds needs{
        campaign_.name, campaign_.model, {}, [this](const std::string& text) { say("model", text); }};
    chat_ = make_campaign_chat(io_, std::move(needs), std::move(key));
    templates_ = std::make_shared<PromptTemplates>(value_or_throw(PromptTemplates::load(prompts_folder())));
  }

  int run() {
    stop_watch_.start();  // first: from here on a signal ends this in order
    const RankLayout layout = lay_out_alone(campaign_.platform.backend);
    host_ = std::make_unique<EvaluatorHost>(io_, helper_, device_facts(layout), layout.run_token);
    asio::co_spawn(io_, step_.tick(), asio::detached);
    return static_cast<int>(run_to_end(io_, all()));
  }

 private:
  void stop(const std::string& why) {
    step_.end();
    std::fprintf(stderr, "noctune: stopping: %s\n", why.c_str());
    if (host_) host_->cancel();
    if (chat_) chat_->stop();
  }

  void say(const std::string& hotspot, const std::string& text) {
    step_.end();
    std::fprintf(stderr, "%s: %s\n", hotspot.c_str(), text.c_str());
  }

  Task<Exit> all() {
    co_await host_->probe(campaign_.platform);
    if (stop_watch_.stopping()) co_return Exit::resumable;
    if (!host_->facts().problem.empty()) throw UserError({host_->facts().problem}, Exit::no_device);
    std::size_t usable = 0;
    try {
      for (const LoadedHotspot& one : hotspots_) {
        const bool holds = co_await complete(one);
        usable += holds ? 1 : 0;
      }
    } catch (const StopRequested&) {
      co_return Exit::resumable;
    } catch (const WaitingForModel&) {
      co_return Exit::waiting;
    }
    if (hotspots_.size() > 1) std::printf("%zu of %zu MEPs can be used\n", usable, hotspots_.size());
    co_return usable == hotspots_.size() ? Exit::ok : usable == 0 ? Exit::no_baseline : Exit::failure;
  }

  Task<Baselined> baseline(PrepareTask task, int attempt) {
    step_.begin("completing " + task.mep.hotspot +
                (attempt > 0 ? ", attempt " + std::to_string(attempt + 1) : "") +
                ": building, sizing, checking and timing the original");
    Baselined done = co_await host_->evaluator().prepare(std::move(task));
    if (stop_watch_.stopping()) throw StopRequested();
    co_return done;
  }

  Task<bool> complete(LoadedHotspot loaded) {
    const std::string name = loaded.task.mep.hotspot;
    CompletionServices services;
    services.baseline = [this](PrepareTask task, int attempt) { return baseline(std::move(task), attempt); };
    services.told = [this, name](bool warning, const std::string& text) {
      if (warning || text.find("the model is asked") != std::string::npos) say(name, text);
    };
    std::optional<SlotChat> chat;
    if (chat_)
      chat.emplace(
          *chat_, calls_, 0, [this, name](const std::string& text) { say(name, text); },
          "no MEP is completed by it any more");
    services.chat = chat ? &*chat : nullptr;
    services.templates = templates_;
    services.device = host_->facts();
    const CompletedMep completed = co_await complete_hotspot(std::move(services), std::move(loaded));
    step_.end();
    show(completed);
    co_return completed.usable();
  }

  void show(const CompletedMep& completed) const {
    std::string out;
    if (completed.by.empty()) {
      out = emphasised("Hotspot " + completed.task.mep.hotspot, look_) + " (" + campaign_.platform.backend +
            ")\n" + fact_line("REFUSED", completed.reason, look_);
    } else {
      const DeviceFacts& device = host_->facts();
      const std::string where = "cpus " + cpu_list(device.measured_cpus) + " of " + device.host + " (" +
                                device.name + "), " + device.compiler;
      out = hotspot_account({completed.task, completed.baselined, where}, look_) + facts(completed) +
            written(completed);
    }
    std::fputs((out + "\n").c_str(), stdout);
    std::fflush(stdout);
  }

  std::string facts(const CompletedMep& completed) const {
    const std::string answers =
        completed.answers > 0 ? ", after " + counted(completed.answers, "answer") + " of the model" : "";
    std::string out = fact_line("completed", "by " + completed.by + answers, look_);
    for (const std::string& one : completed.understood) out += fact_line("understood", one, look_);
    for (const std::string& one : completed.assumed) out += fact_line("assumed", one, look_);
    const MepReport& report = completed.baselined.report;
    if (report.usable)
      out += fact_line("measured",
                       "T_ker " + duration_text(report.t_ker) + " a call, T_overall " +
                           duration_text(report.t_overall) + ", S_data " +
                           bytes_text(static_cast<double>(report.s_data)),
                       look_);
    return out;
  }

  std::string written(const CompletedMep& completed) const {
    const std::filesystem::path folder = options_.output.empty() ? "mep" : options_.output;
    const MepFiles files =
        value_or_throw(write_mep(completed, folder / completed.task.mep.hotspot, options_.force));
    std::string names, kept;
    for (const std::string& one : files.written) names += (names.empty() ? "" : ", ") + one;
    for (const std::string& one : files.kept) kept += (kept.empty() ? "" : ", ") + one;
    std::string out =
        fact_line("files", files.folder.string() + ": " + (names.empty() ? "nothing new" : names), look_);
    if (!kept.empty())
      out += fact_line("kept", kept + ": another text stands there; --force replaces it", look_);
    return out + "  " + hotspot_entry(completed, files) + "\n";
  }

  const Options& options_;
  Campaign campaign_;
  std::vector<LoadedHotspot> hotspots_;
  asio::io_context io_;
  StopWatch stop_watch_;
  ProcessHelper& helper_;
  std::unique_ptr<ChatService> chat_;
  std::shared_ptr<const PromptTemplates> templates_;
  CallsOfThisRun calls_;
  std::unique_ptr<EvaluatorHost> host_;
  StepLine step_;
  ReportOptions look_;
};

}  // namespace

int complete_meps(const Options& options) {
  if (launcher_rank() != 0) return 0;  // one process does it all
  Campaign campaign = read_campaign(options.config, options.overrides);
  if (!options.hotspot.empty()) keep_only(campaign, options.hotspot);
  std::vector<LoadedHotspot> hotspots = load_hotspots(campaign);
  // Before anything is forked; what asks nobody needs no key.
  ApiKey key;
  if (std::any_of(hotspots.begin(), hotspots.end(), may_ask))
    key = take_key(campaign.model);
  else
    scrub_environment({campaign.model.key_env});
  ProcessHelper helper = value_or_throw(ProcessHelper::start(sandbox_helper_path()), Exit::failure);
  MepRun run(options, std::move(campaign), std::move(hotspots), std::move(key), helper);
  return run.run();
}

}  // namespace noctune
