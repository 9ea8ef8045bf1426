#include "coordinator/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "coordinator/gather.hpp"
#include "coordinator/greedy_strategy.hpp"
#include "coordinator/load_hotspots.hpp"
#include "evaluator/policy.hpp"
#include "model/settings_json.hpp"
#include "model/task_json.hpp"

namespace noctune {
namespace {

// What our own trouble cut short is tried once more.
constexpr int tries_when_lost = 2;

// Part of every key: verdicts of gates that were less strict are not taken over from earlier runs. To be
// raised when a gate comes to judge otherwise, or MepReport changes.
constexpr const char* gates_version = "gates 2";

std::string platform_text(const PrepareTask& task, const DeviceFacts& device) {
  return gates_version + Json(task.platform).dump() + device.name + device.compiler +
         std::to_string(device.measured_cpus.size());
}

}  // namespace

std::string baseline_key(const PrepareTask& task, const DeviceFacts& device) {
  return "baseline/" + sha256(task.mep.sha() + platform_text(task, device) + Json(task.mep_limits).dump() +
                              std::to_string(task.search.repeats) + "/" + std::to_string(task.search.trim));
}

std::string evaluation_key(const EvaluationTask& task, const DeviceFacts& device) {
  const std::string what =
      task.candidate.sha + task.reference.sha + task.setup.mep.sha() + to_json(task.report)["cases"].dump() +
      platform_text(task.setup, device) + Json(task.report.seeds).dump() + Json(task.setup.limits).dump() +
      std::to_string(task.setup.search.repeats) + "/" + std::to_string(task.setup.search.trim);
  return std::string(to_text(task.purpose)) + "/" + std::to_string(task.process) + "/" + sha256(what);
}

namespace {

class Tuning {
 public:
  Tuning(TuningServices services, long long hotspot, PrepareTask task)
      : s_(std::move(services)), hotspot_(hotspot), task_(std::move(task)), finished_(s_.io) {}

  Task<TuningResult> run() {
    try {
      const bool usable = co_await complete_mep();
      if (usable) {
        co_await search();
        co_await confirm();
      }
    } catch (const StopRequested&) {
      out_.stopped = true;
      out_.reason = "stopped before its end; the same command goes on from here";
    }
    co_return std::move(out_);
  }

 private:
  // --- MEP and baseline ---

  Task<bool> complete_mep() {
    out_.original = original_of(task_);
    out_.original.id = s_.memory.candidate(hotspot_, 0, 0, out_.original);
    const Baselined done = co_await baselined();
    out_.mep = done.report;
    if (!done.report.usable) {
      out_.reason = done.report.message;
      s_.memory.event(hotspot_, true, done.report.message);
      co_return false;
    }
    s_.memory.cases(hotspot_, done.report);
    known_binaries_[done.baseline.binary_sha] = out_.original.id;
    known_sources_[normalised_source(task_.mep.original)] = out_.original.id;
    s_.memory.event(hotspot_, false,
                    "baseline " + duration_text(done.report.baseline_seconds) + " a call, noise " +
                        percent(done.report.spread) + " between processes; " + done.report.message);
    if (!done.report.deterministic)
      s_.memory.event(hotspot_, true,
                      "the original's output differs from run to run; candidates are held to its own noise");
    co_return true;
  }

  Task<Baselined> baselined() {
    const std::string key = baseline_key(task_, s_.evaluation.devices().front());
    if (std::optional<Evaluation> known = s_.memory.known(key)) {
      Baselined done;
      done.report = mep_report_from(Json::parse(known->diagnostics));
      done.baseline = std::move(*known);
      co_return done;
    }
    Baselined done = co_await s_.evaluation.prepare(task_);
    if (!done.report.usable && done.report.failure == Verdict::lost && !s_.stopping())
      done = co_await s_.evaluation.prepare(task_);
    if (s_.stopping()) throw StopRequested();
    if (done.report.usable) s_.memory.null_probe(hotspot_, out_.original.id, key + "/null", done.null_probe);
    EvaluationTask row;
    row.setup = task_;
    row.candidate = row.reference = out_.original;
    row.purpose = Purpose::baseline;
    Evaluation stored = done.baseline;
    // The report is the evaluation's text: a resumed run takes sizes, seeds and tolerances from it.
    if (done.report.usable) stored.diagnostics = to_json(done.report).dump();
    s_.memory.evaluation(hotspot_, row, done.report.usable ? key : key + "/refused", stored);
    co_return done;
  }

  // --- search ---

  Task<void> search() {
    proposers_ = s_.proposers(task_, out_.mep);
    GreedyStrategy strategy(task_.search, out_.original.id);
    std::mt19937_64 rng(task_.search.seed);
    add_attempt(out_.original, 0);
    out_.attempts.back().verdict = Verdict::ok;
    out_.attempts.back().pending = false;
    out_.attempts.back().speedup = out_.attempts.back().total_speedup = 1;
    // Attempts that run refer to this object, so it stays until they have ended, however the loop ends.
    try {
      co_await rounds(strategy, rng);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    while (running_ > 0) co_await finished_.wait();
    if (failure_) std::rethrow_exception(failure_);
    out_.rounds = strategy.rounds();
    s_.memory.event(hotspot_, false,
                    "search ended after " + std::to_string(out_.rounds) + " rounds and " +
                        std::to_string(out_.attempts.size() - 1) + " candidates");
  }

  Task<void> rounds(Strategy& strategy, std::mt19937_64& rng) {
    while (!strategy.finished()) {
      if (failure_ || s_.stopping()) throw StopRequested();
      const int free_slots = task_.search.candidates - running_;
      std::vector<Move> moves = strategy.ask(out_.attempts, free_slots, rng);
      if (!moves.empty()) {
        co_await begin(strategy, std::move(moves));
      } else if (running_ > 0) {
        co_await finished_.wait();
      } else if (done_.empty()) {
        break;
      }
      while (!done_.empty()) {
        const auto [move, index] = done_.front();
        done_.pop_front();
        strategy.tell(move, out_.attempts[index]);
      }
      note(strategy);
    }
  }

  void note(Strategy& strategy) {
    const std::string decision = strategy.take_decision();
    if (decision.empty()) return;
    s_.memory.decision(hotspot_, decision, {strategy.baseline()});
    s_.memory.event(hotspot_, false, decision);
    out_.reason = decision;
  }

  std::size_t add_attempt(const Candidate& candidate, int round) {
    Attempt attempt;
    attempt.candidate = candidate;
    attempt.round = round;
    out_.attempts.push_back(std::move(attempt));
    return out_.attempts.size() - 1;
  }

  const Attempt& attempt_of(long long id) const {
    return *std::find_if(out_.attempts.begin(), out_.attempts.end(),
                         [id](const Attempt& one) { return one.candidate.id == id; });
  }

  // Fills the moves from the proposers in their order and lets the candidates run.
  Task<void> begin(Strategy& strategy, std::vector<Move> moves) {
    std::vector<std::pair<Move, Candidate>> proposed;
    for (const auto& proposer : proposers_) {
      if (moves.empty()) break;
      std::vector<Candidate> candidates = co_await proposer->propose(moves, out_.attempts);
      for (Candidate& candidate : candidates) {
        if (moves.empty()) break;
        proposed.emplace_back(moves.front(), std::move(candidate));
        moves.erase(moves.begin());
      }
    }
    for (auto& [move, candidate] : proposed) {
      candidate.base = move.base;
      candidate.sha = candidate_sha(candidate);
      candidate.id = s_.memory.candidate(hotspot_, move.round + 1, move.index, candidate);
      const std::size_t index = add_attempt(candidate, move.round);
      ++running_;
      asio::co_spawn(s_.io, attempt_run(move, index), asio::detached);
    }
    for (const Move& move : moves) strategy.drop(move);
  }

  Task<void> attempt_run(Move move, std::size_t index) {
    try {
      EvaluationTask task;
      task.setup = task_;
      task.report = out_.mep;
      task.candidate = out_.attempts[index].candidate;
      task.reference = attempt_of(move.base).candidate;
      task.known_binaries = known_binaries_;
      const Evaluation evaluation = co_await judged(std::move(task));
      take(move, index, evaluation);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    --running_;
    finished_.notify();
  }

  Task<Evaluation> judged(EvaluationTask task) {
    std::string source = normalised_source(task.candidate.source);
    for (const std::string& flag : task.candidate.extra_flags) source += "\n" + flag;
    const auto [known, fresh] = known_sources_.emplace(std::move(source), task.candidate.id);
    if (!fresh && known->second != task.candidate.id) {
      Evaluation duplicate;
      duplicate.verdict = Verdict::duplicate;
      duplicate.message = "same source as candidate " + std::to_string(known->second);
      // Under a key of its own: that of the first may still be open.
      s_.memory.evaluation(hotspot_, task,
                           evaluation_key(task, s_.evaluation.devices().front()) + "/duplicate/" +
                               std::to_string(task.candidate.id),
                           duplicate);
      co_return duplicate;
    }
    const long long id = task.candidate.id;
    Evaluation evaluation = co_await measured(std::move(task));
    if (evaluation.verdict == Verdict::lost)  // nobody judged it, so a later equal version is no duplicate
      std::erase_if(known_sources_, [id](const auto& entry) { return entry.second == id; });
    co_return evaluation;
  }

  void take(const Move& move, std::size_t index, const Evaluation& evaluation) {
    Attempt& attempt = out_.attempts[index];
    attempt.pending = false;
    attempt.verdict = evaluation.verdict;
    attempt.message = evaluation.message;
    attempt.speedup = evaluation.verdict == Verdict::ok ? evaluation.speedup : 0;
    attempt.smallest_gain =
        smallest_gain(task_.search, evaluation.spread > 0 ? evaluation.spread : out_.mep.spread);
    attempt.total_speedup = attempt.speedup * attempt_of(move.base).total_speedup;
    if (!evaluation.binary_sha.empty() && evaluation.verdict != Verdict::lost)
      known_binaries_.emplace(evaluation.binary_sha, attempt.candidate.id);
    std::string what;
    for (const std::string& strategy : attempt.candidate.strategies)
      what += (what.empty() ? "" : ", ") + strategy;
    s_.memory.event(
        hotspot_, false,
        "candidate " + std::to_string(attempt.candidate.id) + " (" + what + "): " + to_text(attempt.verdict) +
            (attempt.verdict == Verdict::ok
                 ? ", " + fixed(attempt.speedup, 2) + " times its baseline [" +
                       fixed(evaluation.interval_low, 2) + ", " + fixed(evaluation.interval_high, 2) + "]"
                 : ", " + attempt.message));
    done_.emplace_back(move, index);
  }

  // --- confirmation ---

  std::vector<Attempt> best_attempts() const {
    std::vector<Attempt> best;
    for (const Attempt& attempt : out_.attempts)
      if (attempt.verdict == Verdict::ok && attempt.candidate.id != out_.original.id &&
          attempt.total_speedup > 1)
        best.push_back(attempt);
    std::stable_sort(best.begin(), best.end(),
                     [](const Attempt& a, const Attempt& b) { return a.total_speedup > b.total_speedup; });
    if (best.size() > static_cast<std::size_t>(task_.search.confirm_top))
      best.resize(static_cast<std::size_t>(task_.search.confirm_top));
    return best;
  }

  Task<void> confirm() {
    std::vector<Task<Finalist>> races;
    for (const Attempt& attempt : best_attempts()) races.push_back(race(attempt.candidate));
    std::vector<Finalist> finalists = co_await gather(s_.io, std::move(races));
    for (Finalist& finalist : finalists)
      if (finalist.complete()) out_.finalists.push_back(std::move(finalist));
    std::stable_sort(out_.finalists.begin(), out_.finalists.end(),
                     [](const Finalist& a, const Finalist& b) { return a.speedup > b.speedup; });
  }

  // A finalist against K(0) in fresh process pairs. One wrong result disqualifies it.
  Task<Finalist> race(Candidate candidate) {
    std::vector<Task<Evaluation>> pairs;
    for (int process = 0; process < task_.search.confirm_pairs; ++process) {
      EvaluationTask task;
      task.setup = task_;
      task.report = out_.mep;
      task.candidate = candidate;
      task.reference = out_.original;
      task.purpose = Purpose::confirm;
      task.process = process;
      pairs.push_back(measured(std::move(task)));
    }
    const std::vector<Evaluation> evaluations = co_await gather(s_.io, std::move(pairs));
    Finalist out{confirmation_of(evaluations), candidate};
    tell(out, evaluations);
    co_return out;
  }

  void tell(const Finalist& finalist, const std::vector<Evaluation>& pairs) {
    const std::string who = "candidate " + std::to_string(finalist.candidate.id);
    if (finalist.refused) {
      const Evaluation& bad = pairs[*finalist.refused];
      s_.memory.event(hotspot_, true,
                      who + " failed its confirmation: " + to_text(bad.verdict) + ", " + bad.message);
    } else if (finalist.complete()) {
      s_.memory.event(hotspot_, false,
                      who + " against the original in " + std::to_string(finalist.log_speedups.size()) +
                          " fresh process pairs: " + fixed(finalist.speedup, 2) + " [" +
                          fixed(finalist.low, 2) + ", " + fixed(finalist.high, 2) + "]");
    }
  }

  // --- measuring, once ---

  Task<Evaluation> measured(EvaluationTask task) {
    const std::string key = evaluation_key(task, s_.evaluation.devices().front());
    if (std::optional<Evaluation> known = s_.memory.known(key)) co_return std::move(*known);
    Evaluation evaluation;
    for (int attempt = 0; attempt < tries_when_lost; ++attempt) {
      if (s_.stopping()) throw StopRequested();
      evaluation = co_await s_.evaluation.evaluate(task);
      const bool lost = evaluation.verdict == Verdict::lost;
      if (s_.stopping() && lost) throw StopRequested();
      s_.memory.evaluation(hotspot_, task, lost ? key + "/lost/" + std::to_string(attempt) : key, evaluation);
      if (!lost) break;
      s_.memory.event(hotspot_, true,
                      "candidate " + std::to_string(task.candidate.id) +
                          " could not be judged, through no fault of its own: " + evaluation.message);
    }
    co_return evaluation;
  }

  TuningServices s_;
  long long hotspot_;
  PrepareTask task_;
  TuningResult out_;
  std::vector<std::unique_ptr<Proposer>> proposers_;
  Signal finished_;
  int running_ = 0;
  std::deque<std::pair<Move, std::size_t>> done_;
  std::exception_ptr failure_;
  std::map<std::string, long long> known_binaries_, known_sources_;
};

}  // namespace

Task<TuningResult> tune_hotspot(TuningServices services, long long hotspot, PrepareTask task) {
  Tuning tuning(std::move(services), hotspot, std::move(task));
  TuningResult out = co_await tuning.run();
  co_return out;
}

}  // namespace noctune
