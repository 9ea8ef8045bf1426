// Facts that stand in a profiler's counters as they are, up to a unit: a table for each profiler.
#pragma once

#include <span>

#include "evaluator/profile/kernel_metrics.hpp"
#include "evaluator/profile/profile_facts.hpp"

namespace noctune {

struct CountedFact {
  const char* counter;
  Fact ProfileFacts::*fact;
  double factor;  // fact = counter * factor
};

// Sets the facts whose counters have a value; others stay.
inline void apply_counters(const KernelMetrics& row, std::span<const CountedFact> table, ProfileFacts& out) {
  for (const CountedFact& one : table)
    if (const Fact value = row.value(one.counter)) out.*one.fact = *value * one.factor;
}

}  // namespace noctune
