#include "coordinator/campaign_run.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "coordinator/campaign_verdicts.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/greedy_strategy.hpp"
#include "coordinator/model_proposer.hpp"
#include "coordinator/promise.hpp"
#include "coordinator/rules_proposer.hpp"
#include "coordinator/sampling_strategy.hpp"
#include "mep/driver_sources.hpp"

namespace noctune {
namespace {

constexpr long long beat_every_s = 20, rebuild_every_s = 120;

// The lease beats and the file is rebuilt, in a helper thread, while hotspots are tuned. Outlives the
// campaign by up to a second, so it owns its flag.
// A journal that cannot be written ends the run at once: what is not recorded is lost anyway.
Task<void> keep_alive(std::shared_ptr<const bool> ended, CampaignServices s) {
  Recorder& recorder = s.recorder;
  for (long long second = 1;; ++second) {
    co_await sleep_for(1);
    if (*ended) co_return;
    if (second % beat_every_s == 0)
      (void)recorder.beat();  // a failure is kept and returned by the next sync()
    if (second % rebuild_every_s == 0) recorder.start_rebuild();
    if (const auto rebuilt = recorder.take_rebuild(); rebuilt && !*rebuilt)
      s.observer.event(
          "", true,
          "the results file could not be rebuilt; the journal has everything: " + rebuilt->error().text());
    if (recorder.failure() && !s.stopping())
      s.request_stop("nothing can be recorded: " + recorder.failure()->text());
  }
}

class CampaignRun {
 public:
  CampaignRun(CampaignServices services, Campaign campaign, std::vector<LoadedHotspot> hotspots)
      : s_(std::move(services)),
        campaign_(std::move(campaign)),
        hotspots_(std::move(hotspots)),
        memory_(s_.recorder, s_.observer, s_.device_ids) {
    if (s_.patterns)
      inheritance_ =
          std::make_unique<Inheritance>(*s_.patterns, s_.recorder, s_.evaluation.devices().front());
  }

  Task<CampaignEnd> run() {
    for (std::size_t i = 0; i < hotspots_.size(); ++i) ids_.push_back(memory_.hotspot(pending_of(i)));
    show_the_start();
    asio::co_spawn(s_.io, keep_alive(ended_, s_), asio::detached);
    std::vector<Task<TuningResult>> all;
    for (std::size_t i = 0; i < hotspots_.size(); ++i) all.push_back(tune(i));
    const std::vector<TuningResult> results = co_await gather(s_.io, std::move(all));
    *ended_ = true;
    const CampaignEnd end = end_of(results);
    const bool finished = end == CampaignEnd::finished || end == CampaignEnd::no_baseline;
    if (finished) conclude(results);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!finished) memory_.hotspot(row_of(i, results[i]));
    co_return end;
  }

 private:
  static CampaignEnd end_of(const std::vector<TuningResult>& results) {
    bool stopped = false, waiting = false, usable = false;
    for (const TuningResult& one : results) {
      stopped = stopped || (one.stopped && !one.waiting);
      waiting = waiting || one.waiting;
      usable = usable || one.mep.usable;
    }
    if (stopped) return CampaignEnd::stopped;
    if (waiting) return CampaignEnd::waiting;
    return usable ? CampaignEnd::finished : CampaignEnd::no_baseline;
  }

  void show_the_start() {
    RunProgress& progress = memory_.progress();
    progress.hotspots = static_cast<int>(hotspots_.size());
    progress.budget = campaign_.model.budget.money;
    progress.currency = campaign_.model.prices.currency;
    for (const SpentCall& call : s_.recorder.spent_calls()) progress.cost += call.cost;
    for (const long long id : ids_) memory_.expect(id, most_versions(campaign_));
    memory_.show();
  }

  HotspotRow pending_of(std::size_t i) const {
    return pending_row(hotspots_[i].task, campaign_.hotspots[i].share);
  }

  Task<TuningResult> tune(std::size_t i) {
    TuningServices services{
        s_.io,
        s_.evaluation,
        memory_,
        all_arms(),
        [this](const Arm& arm, const ArmGround& ground, const std::vector<ArmResult>& earlier) {
          return plan(arm, ground, earlier);
        },
        s_.stopping};
    std::optional<SlotChat> chat;
    if (s_.chat) chat.emplace(slot_chat(ids_[i], "no MEP is completed by it any more"));
    services.chat = chat ? &*chat : nullptr;
    services.templates = s_.templates;
    TuningResult result = co_await tune_hotspot(std::move(services), ids_[i], hotspots_[i]);
    memory_.hotspot(row_of(i, result));
    if (!result.stopped && !result.waiting) memory_.finished(ids_[i]);
    co_return result;
  }

  // Every arm once, then the further replicates of each.
  std::vector<Arm> all_arms() const {
    std::vector<Arm> out;
    for (int replicate = 0; replicate < campaign_.replicates; ++replicate)
      for (const std::string& name : campaign_.arms) out.push_back({name, replicate});
    return out;
  }

  ArmPlan plan(const Arm& arm, const ArmGround& ground, const std::vector<ArmResult>& earlier) {
    ArmPlan out;
    out.arm = arm;
    const SearchSettings& search = ground.task.search;
    if (arm.name == "loop" || arm.name == "rules") {
      out.strategy = std::make_unique<GreedyStrategy>(search, ground.original.id);
    } else {
      // As many answers as the loop used, which the cap holds it to; or as a loop would have.
      int count = arm.name == "direct" ? 1 : search.rounds * search.candidates;
      for (const ArmResult& other : earlier)
        if (arm.name == "sampling" && other.arm.name == "loop" && other.arm.replicate == arm.replicate) {
          out.cap = other.usage;
          count = static_cast<int>(other.usage.calls);
        }
      out.strategy = std::make_unique<SamplingStrategy>(ground.original.id, count, arm.name);
    }
    const bool inherits = inheritance_ && (arm.name == "loop" || arm.name == "rules");
    out.learn = [this, ground, inherits](const std::vector<Attempt>& attempts) {
      if (inherits) inheritance_->learn(ground, attempts);
      share_devices(ground, attempts);
    };
    const auto named = [&](const char* proposer) {
      return std::find(campaign_.proposers.begin(), campaign_.proposers.end(), proposer) !=
             campaign_.proposers.end();
    };
    const bool model =
        s_.chat && (arm.name == "direct" || arm.name == "sampling" || (arm.name == "loop" && named("model")));
    if (model) out.proposers.push_back(model_proposer(arm, ground));
    if (arm.name == "rules" || (arm.name == "loop" && named("rules"))) add_rules(ground, out.proposers);
    if (arm.name == "loop" && model && !named("rules")) {
      std::vector<std::unique_ptr<Proposer>> rules;
      add_rules(ground, rules);
      if (!rules.empty()) out.fallback = std::move(rules.front());
    }
    return out;
  }

  // Devices go to hotspots by what they still promise the application.
  void share_devices(const ArmGround& ground, const std::vector<Attempt>& attempts) {
    const std::string& name = ground.task.mep.hotspot;
    double own = 1, sum = 0;
    for (const HotspotConfig& one : campaign_.hotspots) {
      sum += one.share;
      if (one.name == name) own = one.share;
    }
    const double mean = sum / static_cast<double>(campaign_.hotspots.size());
    s_.evaluation.weigh(name, device_weight(promise(own, attempts), mean));
  }

  SlotChat slot_chat(long long hotspot, std::string when_gone) {
    return {*s_.chat, memory_, hotspot,
            [this, hotspot](const std::string& text) { memory_.event(hotspot, true, text); },
            std::move(when_gone)};
  }

  std::unique_ptr<Proposer> model_proposer(const Arm& arm, const ArmGround& ground) {
    const long long hotspot = ground.hotspot;
    SlotChat chat =
        slot_chat(hotspot, arm.name == "loop" ? "the search goes on with rules" : "this arm ends early");
    PatternDesk desk;
    if (inheritance_ && arm.name == "loop") desk = inheritance_->desk(ground);
    ModelProposerSetup setup{
        s_.io,
        s_.templates,
        arm,
        ground,
        s_.evaluation.devices().front(),
        std::move(desk),
        [this, hotspot](bool warning, const std::string& text) { memory_.event(hotspot, warning, text); }};
    return std::make_unique<ModelProposer>(std::move(setup), std::move(chat));
  }

  void add_rules(const ArmGround& ground, std::vector<std::unique_ptr<Proposer>>& out) {
    const PrepareTask& task = ground.task;
    const DeviceFacts& device = s_.evaluation.devices().front();
    const int threads =
        task.platform.threads > 0 ? task.platform.threads : static_cast<int>(device.measured_cpus.size());
    Result<RuleBook> book =
        RuleBook::read(rule_context(task.mep, task.mep.flags, ground.mep, device, threads));
    if (book) {
      std::map<std::string, double> priors;
      if (inheritance_) priors = inheritance_->rule_priors(ground);
      out.push_back(std::make_unique<RulesProposer>(std::move(*book), std::move(priors)));
    } else {
      s_.observer.event(task.mep.hotspot, true, "the rules cannot read this source: " + book.error().text());
    }
  }

  static MepStatus status_of(const TuningResult& result) {
    if (!result.mep.usable) return result.stopped ? MepStatus::pending : MepStatus::refused;
    if (result.completed_by == "user") return MepStatus::user;
    return result.completed_by == "model" ? MepStatus::model : MepStatus::rules;
  }

  HotspotRow row_of(std::size_t i, const TuningResult& result) const {
    HotspotRow row = pending_of(i);
    if (!result.entry.empty()) row.entry = result.entry;
    row.mep_status = status_of(result);
    if (result.main()) row.rounds = result.main()->rounds;
    row.reason = result.reason;
    if (!result.mep.usable) {
      if (!result.stopped) row.verdict = HotspotVerdict::failed;
      return row;
    }
    row.t_ker = result.mep.t_ker;
    row.t_overall = result.mep.t_overall;
    row.s_data = static_cast<double>(result.mep.s_data);
    row.batched = result.mep.batched ? 1 : 0;
    row.baseline_time = row.best_time = result.mep.baseline_seconds;
    return row;
  }

  void conclude(const std::vector<TuningResult>& results) {
    const auto arms = arm_rows(results, ids_, campaign_.search.min_gain);
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (const ArmRow& row : arms[i]) s_.recorder.arm(row);
      close(i, concluded(row_of(i, results[i]), results[i], arms[i]));
    }
  }

  void close(std::size_t i, const HotspotRow& row) {
    memory_.hotspot(row);
    std::string text = std::string("verdict ") + to_text(row.verdict);
    if (row.verdict == HotspotVerdict::failed) text += ": " + row.reason;
    if (row.verdict == HotspotVerdict::faster)
      text += ", " + fixed(row.standalone_speedup, 2) + " times the original [" +
              fixed(row.standalone_low, 2) + ", " + fixed(row.standalone_high, 2) + "]";
    memory_.decision(ids_[i], text, {row.best_candidate});
    memory_.event(ids_[i], row.verdict == HotspotVerdict::failed, text);
  }

  CampaignServices s_;
  Campaign campaign_;
  std::vector<LoadedHotspot> hotspots_;
  RecorderMemory memory_;
  std::unique_ptr<Inheritance> inheritance_;
  std::vector<long long> ids_;
  std::shared_ptr<bool> ended_ = std::make_shared<bool>(false);
};

}  // namespace

long long most_versions(const Campaign& campaign) {
  const long long searched = static_cast<long long>(campaign.search.rounds) * campaign.search.candidates;
  long long once = 0;
  for (const std::string& arm : campaign.arms) once += arm == "direct" ? 1 : searched;
  return once * campaign.replicates;
}

Task<CampaignEnd> run_campaign(CampaignServices services, Campaign campaign,
                               std::vector<LoadedHotspot> hotspots) {
  CampaignRun run(std::move(services), std::move(campaign), std::move(hotspots));
  const CampaignEnd end = co_await run.run();
  co_return end;
}

}  // namespace noctune
