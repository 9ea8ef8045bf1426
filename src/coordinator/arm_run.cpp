#include "coordinator/arm_run.hpp"

#include <algorithm>
#include <deque>

#include "base/text.hpp"
#include "coordinator/confirm.hpp"
#include "coordinator/prompts/failure.hpp"
#include "coordinator/repairs.hpp"
#include "evaluator/policy.hpp"

namespace noctune {
namespace {

std::string named(long long candidate) {
  return "candidate " + std::to_string(candidate);
}

class ArmRun {
 public:
  ArmRun(ArmServices services, ArmGround ground, ArmPlan plan)
      : s_(std::move(services)), ground_(std::move(ground)), plan_(std::move(plan)), finished_(s_.io) {
    out_.arm = plan_.arm;
    known_binaries_[ground_.original_binary] = ground_.original.id;
    known_sources_[normalised_source(ground_.original.source)] = ground_.original.id;
  }

  Task<ArmResult> run() {
    std::mt19937_64 rng(ground_.task.search.seed + static_cast<unsigned>(plan_.arm.replicate));
    add_original();
    // Attempts that run refer to this object, so it stays until they have ended, however the loop ends.
    try {
      co_await rounds(rng);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    while (running_ > 0) co_await finished_.wait();
    if (failure_) std::rethrow_exception(failure_);
    out_.rounds = plan_.strategy->rounds();
    say(false, "search ended after " + std::to_string(out_.rounds) + " rounds and " +
                   std::to_string(out_.attempts.size() - 1) + " candidates");
    out_.finalists = co_await confirm_best(s_, ground_, out_.attempts);
    for (const auto& proposer : plan_.proposers) co_await proposer->conclude(out_.attempts);
    count_usage();
    co_return std::move(out_);
  }

 private:
  void say(bool warning, const std::string& text) {
    const bool plain = plan_.arm.name == "loop" || plan_.arm.name == "rules";
    const bool first = plain && plan_.arm.replicate == 0;
    s_.memory.event(ground_.hotspot, warning, first ? text : arm_text(plan_.arm) + ": " + text);
  }

  void add_original() {
    Attempt& original = out_.attempts[add_attempt(ground_.original, 0)];
    original.verdict = Verdict::ok;
    original.pending = false;
    original.speedup = original.total_speedup = 1;
  }

  Task<void> rounds(std::mt19937_64& rng) {
    Strategy& strategy = *plan_.strategy;
    while (!strategy.finished() && !spent()) {
      if (failure_ || s_.stopping()) throw StopRequested();
      const int free_slots = ground_.task.search.candidates - running_;
      std::vector<Move> moves = strategy.ask(out_.attempts, free_slots, rng);
      if (!moves.empty()) {
        co_await begin(std::move(moves));
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

  // Used as much as the arm that it is compared with, of what that one used at all.
  bool spent() {
    if (!plan_.cap) return false;
    count_usage();
    const ArmUsage &used = out_.usage, &cap = *plan_.cap;
    const auto reached = [](auto value, auto limit) { return limit > 0 && value >= limit; };
    return reached(used.calls, cap.calls) || reached(used.tokens, cap.tokens) ||
           reached(used.device_seconds, cap.device_seconds);
  }

  void count_usage() {
    out_.usage.candidates = static_cast<int>(out_.attempts.size()) - 1;
    out_.usage.calls = out_.usage.tokens = 0;
    out_.usage.cost = 0;
    for (const auto& proposer : plan_.proposers) {
      const ArmUsage used = proposer->used();
      out_.usage.calls += used.calls;
      out_.usage.tokens += used.tokens;
      out_.usage.cost += used.cost;
    }
  }

  void note(Strategy& strategy) {
    const std::string decision = strategy.take_decision();
    if (decision.empty()) return;
    s_.memory.decision(ground_.hotspot, decision, {strategy.baseline()});
    say(false, decision);
    out_.reason = decision;
    if (plan_.learn) plan_.learn(out_.attempts);
  }

  std::size_t add_attempt(const Candidate& candidate, int round, int index = 0, int repair = 0) {
    Attempt attempt;
    attempt.candidate = candidate;
    attempt.round = round;
    attempt.index = index;
    attempt.repair = repair;
    out_.attempts.push_back(std::move(attempt));
    return out_.attempts.size() - 1;
  }

  const Attempt& attempt_of(long long id) const {
    return *std::find_if(out_.attempts.begin(), out_.attempts.end(),
                         [id](const Attempt& one) { return one.candidate.id == id; });
  }

  // Fills the moves from the proposers in their order; candidates run as soon as they are there.
  Task<void> begin(std::vector<Move> moves) {
    for (const auto& proposer : plan_.proposers) moves = co_await filled(*proposer, std::move(moves));
    const bool gone = std::all_of(plan_.proposers.begin(), plan_.proposers.end(),
                                  [](const auto& proposer) { return proposer->gone(); });
    if (gone && plan_.fallback) moves = co_await filled(*plan_.fallback, std::move(moves));
    for (const Move& move : moves) plan_.strategy->drop(move);
  }

  // The moves that this proposer had no version for.
  Task<std::vector<Move>> filled(Proposer& proposer, std::vector<Move> moves) {
    if (moves.empty() || proposer.gone()) co_return moves;
    std::vector<bool> found(moves.size(), false);
    Proposer::Found take = [&](std::size_t at, Candidate candidate) {
      if (found[at]) return;
      found[at] = true;
      start(proposer, moves[at], std::move(candidate));
    };
    co_await proposer.propose(moves, out_.attempts, take);
    std::vector<Move> open;
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (!found[i]) open.push_back(moves[i]);
    co_return open;
  }

  std::size_t record(const Move& move, Candidate& candidate, int repair = 0) {
    if (candidate.base == 0) candidate.base = move.base;
    candidate.arm = plan_.arm.name;
    candidate.replicate = plan_.arm.replicate;
    candidate.sha = candidate_sha(candidate);
    candidate.id = s_.memory.candidate(ground_.hotspot, move.round + 1, move.index, candidate);
    return add_attempt(candidate, move.round, move.index, repair);
  }

  void start(Proposer& proposer, const Move& move, Candidate candidate) {
    const std::size_t index = record(move, candidate);
    ++running_;
    asio::co_spawn(s_.io, attempt_run(proposer, move, index), asio::detached);
  }

  // One version through the gates, and what mends it while repairs are left.
  Task<void> attempt_run(Proposer& proposer, Move move, std::size_t index) {
    try {
      RepairBudget repairs(ground_.task.search.repairs);
      for (bool again = true; again;) {
        const Evaluation evaluation = co_await judged(move, index);
        take(move, index, evaluation);
        again = false;
        if (!repairs.take(failure_kind(evaluation), failure_signature(evaluation))) break;
        Attempt failed = out_.attempts[index];
        std::optional<Candidate> mended =
            co_await proposer.repair(move, std::move(failed), evaluation, repairs.used());
        if (!mended) break;
        mended->repair_of = out_.attempts[index].candidate.id;
        index = record(move, *mended, repairs.used());
        again = true;
      }
      done_.emplace_back(move, index);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
    --running_;
    finished_.notify();
  }

  Task<Evaluation> judged(const Move& move, std::size_t index) {
    EvaluationTask task;
    task.setup = ground_.task;
    task.report = ground_.mep;
    task.candidate = out_.attempts[index].candidate;
    task.reference = attempt_of(move.base).candidate;
    task.known_binaries = known_binaries_;
    const long long id = task.candidate.id;
    std::string source = normalised_source(task.candidate.source);
    for (const std::string& flag : task.candidate.extra_flags) source += "\n" + flag;
    const std::string as_duplicate = "/duplicate/" + std::to_string(id);
    // Of two equal versions an earlier run may have had the other one first, and measured that.
    if (std::optional<Evaluation> before = s_.measuring.known(task, as_duplicate))
      co_return std::move(*before);
    const bool measured_before = s_.measuring.known(task).has_value();
    const auto [known, fresh] = known_sources_.emplace(std::move(source), id);
    if (!fresh && known->second != id && !measured_before) {
      Evaluation duplicate;
      duplicate.verdict = Verdict::duplicate;
      duplicate.message = "same source as candidate " + std::to_string(known->second);
      // Under a key of its own: that of the first may still be open.
      s_.measuring.note(task, as_duplicate, duplicate);
      co_return duplicate;
    }
    Evaluation evaluation = co_await s_.measuring.evaluate(std::move(task));
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
        smallest_gain(ground_.task.search, evaluation.spread > 0 ? evaluation.spread : ground_.mep.spread);
    attempt.total_speedup = attempt.speedup * attempt_of(move.base).total_speedup;
    out_.usage.device_seconds += evaluation.seconds.busy;
    if (!evaluation.binary_sha.empty() && evaluation.verdict != Verdict::lost)
      known_binaries_.emplace(evaluation.binary_sha, attempt.candidate.id);
    tell(attempt, evaluation);
  }

  void tell(const Attempt& attempt, const Evaluation& evaluation) {
    std::string what;
    for (const std::string& strategy : attempt.candidate.strategies)
      what += (what.empty() ? "" : ", ") + strategy;
    if (attempt.candidate.repair_of > 0) what += ", repair of " + std::to_string(attempt.candidate.repair_of);
    const std::string how = attempt.verdict == Verdict::ok
                                ? ", " + fixed(attempt.speedup, 2) + " times its baseline [" +
                                      fixed(evaluation.interval_low, 2) + ", " +
                                      fixed(evaluation.interval_high, 2) + "]"
                                : ", " + attempt.message;
    say(false, named(attempt.candidate.id) + " (" + what + "): " + to_text(attempt.verdict) + how);
  }

  ArmServices s_;
  ArmGround ground_;
  ArmPlan plan_;
  ArmResult out_;
  Signal finished_;
  int running_ = 0;
  std::deque<std::pair<Move, std::size_t>> done_;
  std::exception_ptr failure_;
  std::map<std::string, long long> known_binaries_, known_sources_;
};

}  // namespace

std::string arm_text(const Arm& arm) {
  return arm.replicate == 0 ? arm.name : arm.name + " " + std::to_string(arm.replicate + 1);
}

Task<ArmResult> run_arm(ArmServices services, ArmGround ground, ArmPlan plan) {
  ArmRun run(std::move(services), std::move(ground), std::move(plan));
  ArmResult out = co_await run.run();
  co_return out;
}

}  // namespace noctune
