// A search strategy: asks for versions, is told what became of them. Nothing outside it knows of rounds, and
// it never waits: ask() returns nothing while outcomes are needed first.
#pragma once

#include <random>
#include <vector>

#include "coordinator/services.hpp"

namespace noctune {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Up to `free_slots` moves to make now.
  virtual std::vector<Move> ask(const std::vector<Attempt>& history, int free_slots,
                                std::mt19937_64& rng) = 0;
  // An attempt is finished.
  virtual void tell(const Move& move, const Attempt& attempt) = 0;
  // No proposer had an idea for the move.
  virtual void drop(const Move& move) = 0;
  virtual bool finished() const = 0;
  // The version that later ones are raced against.
  virtual long long baseline() const = 0;
  virtual int rounds() const = 0;
  // What it decided last, for people; empty when nothing new.
  virtual std::string take_decision() = 0;
};

}  // namespace noctune
