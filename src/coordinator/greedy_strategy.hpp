// Greedy rounds: N versions of the round baseline, the best real gain becomes the next baseline.
#pragma once

#include <optional>
#include <string>

#include "coordinator/strategy.hpp"
#include "model/campaign.hpp"

namespace noctune {

class GreedyStrategy final : public Strategy {
 public:
  // A version is promoted when it saves more of the baseline's time than its attempt's smallest_gain.
  GreedyStrategy(const SearchSettings& settings, long long original);

  std::vector<Move> ask(const std::vector<Attempt>& history, int free_slots, std::mt19937_64& rng) override;
  void tell(const Move& move, const Attempt& attempt) override;
  void drop(const Move& move) override;
  bool finished() const override { return finished_; }
  long long baseline() const override { return baseline_; }
  int rounds() const override { return round_; }
  std::string take_decision() override;

 private:
  void close_round();

  SearchSettings settings_;
  long long baseline_;
  int round_ = 0, asked_ = 0, answered_ = 0, dropped_ = 0, rounds_without_gain_ = 0;
  std::optional<Attempt> best_;  // of this round, with the smallest ratio to the baseline
  bool finished_ = false;
  std::string decision_;
};

}  // namespace noctune
