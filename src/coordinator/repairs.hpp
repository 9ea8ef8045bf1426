// How often a version may be mended: so many times for building, as many for running and results, and no more
// once the same error comes back.
#pragma once

#include <set>
#include <string>

#include "coordinator/prompts/failure.hpp"

namespace noctune {

class RepairBudget {
 public:
  explicit RepairBudget(int each) : each_(each) {}

  // Takes one repair for a failure of this kind; false when none is left or the signature was seen before.
  bool take(FailureKind kind, const std::string& signature) {
    if (kind == FailureKind::none || !seen_.insert(signature).second) return false;
    int& used = kind == FailureKind::build ? build_ : run_;
    if (used >= each_) return false;
    ++used;
    return true;
  }
  int used() const { return build_ + run_; }
  int used(FailureKind kind) const { return kind == FailureKind::build ? build_ : run_; }

 private:
  int each_, build_ = 0, run_ = 0;
  std::set<std::string> seen_;
};

}  // namespace noctune
