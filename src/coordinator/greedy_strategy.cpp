#include "coordinator/greedy_strategy.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "evaluator/gain.hpp"

namespace noctune {

GreedyStrategy::GreedyStrategy(const SearchSettings& settings, long long original)
    : settings_(settings), baseline_(original), finished_(settings.rounds == 0) {}

std::vector<Move> GreedyStrategy::ask(const std::vector<Attempt>&, int free_slots, std::mt19937_64&) {
  std::vector<Move> moves;
  while (!finished_ && asked_ < settings_.candidates && static_cast<int>(moves.size()) < free_slots) {
    Move move;
    move.base = baseline_;
    move.round = round_;
    move.index = asked_++;
    moves.push_back(move);
  }
  return moves;
}

void GreedyStrategy::tell(const Move&, const Attempt& attempt) {
  ++answered_;
  const bool feasible = attempt.verdict == Verdict::ok && attempt.speedup > 0;
  // Answers come in any order: of equals, the one asked for first.
  const auto rank = [](const Attempt& one) { return std::pair(-one.speedup, one.index); };
  if (feasible && (!best_ || rank(attempt) < rank(*best_))) best_ = attempt;
  if (answered_ + dropped_ == settings_.candidates) close_round();
}

void GreedyStrategy::drop(const Move&) {
  ++dropped_;
  if (answered_ + dropped_ == settings_.candidates) close_round();
}

void GreedyStrategy::close_round() {
  const double gain = best_ ? time_saved(best_->speedup) : 0;
  const std::string where = "round " + std::to_string(round_ + 1) + ": ";
  if (best_ && gain > best_->smallest_gain) {
    baseline_ = best_->candidate.id;
    rounds_without_gain_ = 0;
    decision_ = where + "candidate " + std::to_string(baseline_) + " takes over, " +
                fixed(best_->speedup, 2) + " times the speed of the baseline before it";
  } else {
    ++rounds_without_gain_;
    decision_ = where + "the baseline stays; " +
                (best_ ? "the best gain was " + percent(std::max(gain, 0.0)) + ", more than " +
                             percent(best_->smallest_gain) + " is needed"
                       : std::string("no version passed every gate"));
  }
  const bool dry = dropped_ == settings_.candidates;
  ++round_;
  if (dry) {
    finished_ = true;
    decision_ = where + "no proposer has another idea";
  } else if (round_ >= settings_.rounds || rounds_without_gain_ >= settings_.patience) {
    finished_ = true;
  }
  asked_ = answered_ = dropped_ = 0;
  best_.reset();
}

std::string GreedyStrategy::take_decision() {
  return std::exchange(decision_, {});
}

}  // namespace noctune
