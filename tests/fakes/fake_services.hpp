// A world for the flow: evaluations answered from a table, a memory that is a list, proposers that read a
// script.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "coordinator/services.hpp"

namespace noctune {

// Speed-up of every source over the original, or a verdict; ratios against any reference follow from that.
class FakeEvaluation final : public EvaluationService {
 public:
  struct Behaviour {
    double speed = 1;  // relative to the original
    Verdict verdict = Verdict::ok;
    Verdict confirm = Verdict::ok;
  };

  FakeEvaluation() : devices_(1) {
    report.usable = true;
    report.spread = 0.001;
    report.baseline_seconds = 1;
    report.seeds = {1, 2, 3};
    SizedCase one;
    one.name = "time";
    report.cases.push_back(one);
  }

  Task<Baselined> prepare(PrepareTask task) override {
    ++prepares;
    Baselined out;
    out.report = on_prepare ? on_prepare(task) : report;
    out.baseline.verdict = out.report.usable ? Verdict::ok : out.report.failure;
    out.baseline.message = out.report.message;
    out.baseline.binary_sha = "original-code";
    out.null_probe.verdict = Verdict::wrong_result;
    co_return out;
  }

  Task<Evaluation> evaluate(EvaluationTask task) override {
    ++evaluations;
    ++running;
    most_running = std::max(most_running, running);
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    --running;
    if (on_evaluate) on_evaluate(task);
    tasks.push_back(task);
    const Behaviour mine = behaviour[task.candidate.source], reference = behaviour[task.reference.source];
    Evaluation out;
    out.verdict = task.purpose == Purpose::confirm ? mine.confirm : mine.verdict;
    out.binary_sha = "code of " + task.candidate.source;
    if (out.verdict != Verdict::ok) co_return out;
    if (task.purpose == Purpose::profile) {
      out.diagnostics = "Bound by waiting for " + task.candidate.proposer + ".\n";
      co_return out;
    }
    // A small, fixed wobble between processes keeps the variance above zero.
    out.speedup = mine.speed / reference.speed * (1 + 0.001 * (task.process % 3 - 1));
    out.interval_low = 0.99 * out.speedup;
    out.interval_high = 1.01 * out.speedup;
    TimingSummary timing;
    timing.case_name = "time";
    timing.speedup = out.speedup;
    timing.trimmed_mean = 1 / mine.speed;
    timing.reference_trimmed_mean = 1 / reference.speed;
    out.timings.push_back(timing);
    co_return out;
  }
  const std::vector<DeviceFacts>& devices() const override { return devices_; }

  MepReport report;
  std::map<std::string, Behaviour> behaviour;
  std::function<void(const EvaluationTask&)> on_evaluate;
  std::function<MepReport(const PrepareTask&)> on_prepare;  // instead of `report`
  std::vector<EvaluationTask> tasks;
  int prepares = 0, evaluations = 0, running = 0, most_running = 0;

 private:
  std::vector<DeviceFacts> devices_;
};

class FakeMemory final : public Memory {
 public:
  long long candidate(long long, int, int, const Candidate& one) override {
    const auto [at, fresh] = ids.emplace(one.sha, static_cast<long long>(ids.size()) + 1);
    if (fresh) candidates.push_back(one);
    return at->second;
  }
  void evaluation(long long, const EvaluationTask& task, const std::string& key,
                  const Evaluation& one) override {
    if (!known_.emplace(key, one).second) ++repeats;
    rows.emplace_back(task.purpose, one.verdict);
  }
  std::optional<Evaluation> known(const std::string& key) const override {
    const auto found = known_.find(key);
    return found == known_.end() ? std::nullopt : std::optional<Evaluation>(found->second);
  }
  void null_probe(long long, long long, const std::string&, const Evaluation&) override { ++null_probes; }
  void cases(long long, const MepReport&) override {}
  void mep(long long, const MepSource& mep, const std::string& by, int answers, const MepReport&) override {
    meps.push_back(mep);
    completed_by = by;
    model_answers = answers;
  }
  void decision(long long, const std::string& text, const std::vector<long long>&) override {
    decisions.push_back(text);
  }
  void event(long long, bool, const std::string& text) override { events.push_back(text); }
  std::optional<RecordedReply> known_call(long long, const CallSlot& slot) const override {
    const auto found = calls.find(slot_text(slot));
    return found == calls.end() || !found->second.answered
               ? std::nullopt
               : std::optional<RecordedReply>(found->second.record);
  }
  std::optional<ChatRequest> open_call(long long, const CallSlot& slot) const override {
    const auto found = calls.find(slot_text(slot));
    return found == calls.end() ? std::nullopt : std::optional<ChatRequest>(found->second.request);
  }
  long long call_sent(long long, const CallSlot& slot, const ChatRequest& request) override {
    Call& call = calls[slot_text(slot)];
    if (call.record.call == 0) call.record.call = static_cast<long long>(calls.size());
    call.request = request;
    ++call.sent;
    return call.record.call;
  }
  void call_answered(long long, const CallSlot& slot, const ChatReply& reply) override {
    Call& call = calls[slot_text(slot)];
    call.record.reply = reply;
    call.answered = reply.outcome == ChatOutcome::ok;
  }
  void call_read(long long, const CallSlot& slot, const std::string& reading) override {
    calls[slot_text(slot)].reading = reading;
  }

  struct Call {
    RecordedReply record;
    ChatRequest request;
    std::string reading;
    int sent = 0;
    bool answered = false;
  };
  std::map<std::string, Call> calls;

  std::map<std::string, long long> ids;
  std::vector<Candidate> candidates;
  std::vector<std::pair<Purpose, Verdict>> rows;
  std::vector<std::string> decisions, events;
  std::vector<MepSource> meps;
  std::string completed_by;
  int model_answers = 0;
  int repeats = 0, null_probes = 0;

 private:
  std::map<std::string, Evaluation> known_;
};

// Proposes sources from a list, in order.
class ScriptedProposer final : public Proposer {
 public:
  explicit ScriptedProposer(std::vector<std::string> sources) : sources_(std::move(sources)) {}
  std::string name() const override { return "script"; }
  Task<void> propose(std::vector<Move> moves, std::vector<Attempt>, Found found) override {
    for (std::size_t i = 0; i < moves.size() && next_ < sources_.size(); ++i) {
      Candidate one;
      one.source = sources_[next_++];
      one.proposer = "script";
      found(i, one);
    }
    co_return;
  }

 private:
  std::vector<std::string> sources_;
  std::size_t next_ = 0;
};

}  // namespace noctune
