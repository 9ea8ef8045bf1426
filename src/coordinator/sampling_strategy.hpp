// Independent versions of K(0), none of which knows of another: the arms `direct` (one) and `sampling`
// (many).
#pragma once

#include "coordinator/strategy.hpp"

namespace noctune {

class SamplingStrategy final : public Strategy {
 public:
  // `count` versions; `kind` goes into every move.
  SamplingStrategy(long long original, int count, std::string kind)
      : original_(original), count_(count), kind_(std::move(kind)) {}

  std::vector<Move> ask(const std::vector<Attempt>&, int free_slots, std::mt19937_64&) override {
    std::vector<Move> moves;
    for (; asked_ < count_ && static_cast<int>(moves.size()) < free_slots; ++asked_) {
      Move move;
      move.kind = kind_;
      move.base = original_;
      move.index = asked_;
      moves.push_back(move);
    }
    return moves;
  }
  void tell(const Move&, const Attempt& attempt) override {
    ++ended_;
    right_ += attempt.verdict == Verdict::ok;
  }
  void drop(const Move&) override { ++ended_; }
  bool finished() const override { return ended_ >= count_; }
  long long baseline() const override { return original_; }
  int rounds() const override { return ended_ > 0 ? 1 : 0; }
  std::string take_decision() override {
    if (!finished() || told_) return {};
    told_ = true;
    return std::to_string(right_) + " of " + std::to_string(count_) +
           " unassisted versions passed every gate";
  }

 private:
  long long original_;
  int count_;
  std::string kind_;
  int asked_ = 0, ended_ = 0, right_ = 0;
  bool told_ = false;
};

}  // namespace noctune
