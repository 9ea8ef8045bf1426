#include "coordinator/campaign_run.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/rules_proposer.hpp"
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
        memory_(s_.recorder, s_.observer, s_.device_ids) {}

  Task<CampaignEnd> run() {
    memory_.progress().hotspots = static_cast<int>(tasks_.size());
    for (std::size_t i = 0; i < tasks_.size(); ++i) ids_.push_back(memory_.hotspot(pending_row(i)));
    memory_.show();
    asio::co_spawn(s_.io, keep_alive(ended_, s_), asio::detached);
    std::vector<Task<TuningResult>> all;
    for (std::size_t i = 0; i < tasks_.size(); ++i) all.push_back(tune(i));
    const std::vector<TuningResult> results = co_await gather(s_.io, std::move(all));
    *ended_ = true;
    const bool stopped =
        std::any_of(results.begin(), results.end(), [](const auto& one) { return one.stopped; });
    if (!stopped) conclude(results);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (stopped) memory_.hotspot(row_of(i, results[i]));
    if (stopped) co_return CampaignEnd::stopped;
    const bool none =
        std::none_of(results.begin(), results.end(), [](const auto& one) { return one.mep.usable; });
    co_return none ? CampaignEnd::no_baseline : CampaignEnd::finished;
  }

 private:
  HotspotRow pending_row(std::size_t i) const {
    HotspotRow row;
    row.name = tasks_[i].mep.hotspot;
    row.entry = tasks_[i].mep.spec.entry;
    row.share = campaign_.hotspots[i].share;
    return row;
  }

  Task<TuningResult> tune(std::size_t i) {
    TuningServices services{
        s_.io, s_.evaluation, memory_,
        [this](const PrepareTask& task, const MepReport& report) { return proposers(task, report); },
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

  std::vector<std::unique_ptr<Proposer>> proposers(const PrepareTask& task, const MepReport& report) {
    std::vector<std::unique_ptr<Proposer>> out;
    const DeviceFacts& device = s_.evaluation.devices().front();
    const int threads =
        task.platform.threads > 0 ? task.platform.threads : static_cast<int>(device.measured_cpus.size());
    Result<RuleBook> book = RuleBook::read(rule_context(task.mep, task.mep.flags, report, device, threads));
    if (book) {
      out.push_back(std::make_unique<RulesProposer>(std::move(*book)));
    } else {
      s_.observer.event(task.mep.hotspot, true, "the rules cannot read this source: " + book.error().text());
    }
    return out;
  }

  HotspotRow row_of(std::size_t i, const TuningResult& result) const {
    HotspotRow row = pending_row(i);
    row.mep_status = result.mep.usable ? MepStatus::complete
                     : result.stopped  ? MepStatus::pending
                                       : MepStatus::failed;
    row.rounds = result.rounds;
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
    std::vector<double> p_values;
    for (const TuningResult& result : results)
      p_values.push_back(
          result.finalists.empty() ? 1 : hotspot_p_value(result.finalists.front(), result.finalists.size()));
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const TuningResult& result = results[i];
      HotspotRow row = row_of(i, result);
      row.verdict = verdict_for(result, adjusted[i], campaign_.search.min_gain);
      if (row.verdict == HotspotVerdict::faster) {
        const Finalist& winner = result.finalists.front();
        row.best_candidate = winner.candidate.id;
        row.baseline_time = winner.baseline_seconds;
        row.best_time = winner.seconds;
        row.standalone_speedup = winner.speedup;
        row.standalone_low = winner.low;
        row.standalone_high = winner.high;
      } else if (result.mep.usable) {
        row.best_candidate = result.original.id;
        row.standalone_speedup = row.standalone_low = row.standalone_high = 1;
      }
      memory_.hotspot(row);
      std::string text = std::string("verdict ") + to_text(row.verdict);
      if (row.verdict == HotspotVerdict::failed) text += ": " + row.reason;
      if (row.verdict == HotspotVerdict::faster)
        text += ", " + fixed(row.standalone_speedup, 2) + " times the original [" +
                fixed(row.standalone_low, 2) + ", " + fixed(row.standalone_high, 2) + "]";
      memory_.decision(ids_[i], text, {row.best_candidate});
      memory_.event(ids_[i], row.verdict == HotspotVerdict::failed, text);
    }
  }

  CampaignServices s_;
  Campaign campaign_;
  std::vector<PrepareTask> tasks_;
  RecorderMemory memory_;
  std::vector<long long> ids_;
  std::shared_ptr<bool> ended_ = std::make_shared<bool>(false);
};

}  // namespace

HotspotVerdict verdict_for(const TuningResult& result, double adjusted_p, double min_gain) {
  if (!result.mep.usable) return HotspotVerdict::failed;
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
