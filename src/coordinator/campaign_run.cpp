#include "coordinator/campaign_run.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/greedy_strategy.hpp"
#include "coordinator/model_proposer.hpp"
#include "coordinator/rules_proposer.hpp"
#include "coordinator/sampling_strategy.hpp"
#include "evaluator/statistics.hpp"
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
  CampaignRun(CampaignServices services, Campaign campaign, std::vector<PrepareTask> tasks)
      : s_(std::move(services)),
        campaign_(std::move(campaign)),
        tasks_(std::move(tasks)),
        memory_(s_.recorder, s_.observer, s_.device_ids) {
    if (s_.patterns)
      inheritance_ =
          std::make_unique<Inheritance>(*s_.patterns, s_.recorder, s_.evaluation.devices().front());
  }

  Task<CampaignEnd> run() {
    memory_.progress().hotspots = static_cast<int>(tasks_.size());
    for (std::size_t i = 0; i < tasks_.size(); ++i) ids_.push_back(memory_.hotspot(pending_row(i)));
    memory_.show();
    asio::co_spawn(s_.io, keep_alive(ended_, s_), asio::detached);
    std::vector<Task<TuningResult>> all;
    for (std::size_t i = 0; i < tasks_.size(); ++i) all.push_back(tune(i));
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

  HotspotRow pending_row(std::size_t i) const {
    HotspotRow row;
    row.name = tasks_[i].mep.hotspot;
    row.entry = tasks_[i].mep.spec.entry;
    row.share = campaign_.hotspots[i].share;
    return row;
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
    TuningResult result;
    try {
      result = co_await tune_hotspot(std::move(services), ids_[i], tasks_[i]);
    } catch (const std::exception& failure) {  // costs this hotspot, not the others' night
      result.reason = std::string("ended unexpectedly: ") + failure.what();
      memory_.event(ids_[i], true, result.reason);
    }
    memory_.hotspot(row_of(i, result));
    ++memory_.progress().finished;
    memory_.show();
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
    if (inheritance_ && (arm.name == "loop" || arm.name == "rules"))
      out.learn = [this, ground](const std::vector<Attempt>& attempts) {
        inheritance_->learn(ground, attempts);
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

  std::unique_ptr<Proposer> model_proposer(const Arm& arm, const ArmGround& ground) {
    const long long hotspot = ground.hotspot;
    SlotChat chat(*s_.chat, memory_, hotspot,
                  [this, hotspot](const std::string& text) { memory_.event(hotspot, true, text); });
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

  HotspotRow row_of(std::size_t i, const TuningResult& result) const {
    HotspotRow row = pending_row(i);
    row.mep_status = result.mep.usable ? MepStatus::complete
                     : result.stopped  ? MepStatus::pending
                                       : MepStatus::failed;
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

  // --- verdicts ---

  // Adjusted over all hotspots, for each arm and replicate alone: each is a family of its own.
  void conclude(const std::vector<TuningResult>& results) {
    const std::size_t arms = all_arms().size();
    for (std::size_t arm = 0; arm < arms; ++arm) conclude_arm(results, arm);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!results[i].main()) close(i, row_of(i, results[i]));
  }

  void conclude_arm(const std::vector<TuningResult>& results, std::size_t arm) {
    std::vector<double> p_values;
    for (const TuningResult& result : results) {
      const bool confirmed = arm < result.arms.size() && !result.arms[arm].finalists.empty();
      p_values.push_back(
          confirmed ? hotspot_p_value(result.arms[arm].finalists.front(), result.arms[arm].finalists.size())
                    : 1);
    }
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (arm >= results[i].arms.size()) continue;
      const ArmRow row = arm_row(i, results[i], results[i].arms[arm], adjusted[i]);
      s_.recorder.arm(row);
      if (row.arm == "direct") direct_[i].push_back(row.speedup);
      if (arm == 0) mains_[i] = row;
      if (arm + 1 == all_arms().size()) close_with_main(i, results[i]);
    }
  }

  ArmRow arm_row(std::size_t i, const TuningResult& result, const ArmResult& arm, double adjusted_p) const {
    ArmRow row;
    row.hotspot = ids_[i];
    row.arm = arm.arm.name;
    row.replicate = arm.arm.replicate;
    row.verdict = verdict_for(arm, adjusted_p, campaign_.search.min_gain);
    row.best_candidate = result.original.id;
    row.speedup = row.low = row.high = 1;
    if (row.verdict == HotspotVerdict::faster) {
      const Finalist& winner = arm.finalists.front();
      row.best_candidate = winner.candidate.id;
      row.speedup = winner.speedup;
      row.low = winner.low;
      row.high = winner.high;
    }
    row.candidates = arm.usage.candidates;
    row.calls = arm.usage.calls;
    row.tokens = arm.usage.tokens;
    row.cost = arm.usage.cost;
    row.device_seconds = arm.usage.device_seconds;
    return row;
  }

  void close_with_main(std::size_t i, const TuningResult& result) {
    const ArmRow& main = mains_[i];
    HotspotRow row = row_of(i, result);
    row.verdict = main.verdict;
    row.best_candidate = main.best_candidate;
    row.standalone_speedup = main.speedup;
    row.standalone_low = main.low;
    row.standalone_high = main.high;
    if (main.verdict == HotspotVerdict::faster) {
      row.baseline_time = result.main()->finalists.front().baseline_seconds;
      row.best_time = result.main()->finalists.front().seconds;
    }
    if (!direct_[i].empty()) row.direct_speedup = geometric_mean(direct_[i]);
    close(i, row);
  }

  void close(std::size_t i, HotspotRow row) {
    if (row.verdict == HotspotVerdict::pending) row.verdict = HotspotVerdict::failed;
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
  std::vector<PrepareTask> tasks_;
  RecorderMemory memory_;
  std::unique_ptr<Inheritance> inheritance_;
  std::vector<long long> ids_;
  std::map<std::size_t, ArmRow> mains_;                // by hotspot
  std::map<std::size_t, std::vector<double>> direct_;  // speed-ups of the direct arm, by hotspot
  std::shared_ptr<bool> ended_ = std::make_shared<bool>(false);
};

}  // namespace

HotspotVerdict verdict_for(const ArmResult& result, double adjusted_p, double min_gain) {
  if (result.finalists.empty()) return HotspotVerdict::indistinguishable;
  const bool real = judge_gain(result.finalists.front(), adjusted_p, min_gain) == GainVerdict::faster;
  return real ? HotspotVerdict::faster : HotspotVerdict::indistinguishable;
}

Task<CampaignEnd> run_campaign(CampaignServices services, Campaign campaign, std::vector<PrepareTask> tasks) {
  CampaignRun run(std::move(services), std::move(campaign), std::move(tasks));
  const CampaignEnd end = co_await run.run();
  co_return end;
}

}  // namespace noctune
