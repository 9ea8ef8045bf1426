// Scalars that a loop only adds to, or of which it keeps the largest or smallest: parts of the loop can run
// apart and be combined afterwards. The order of sums changes.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordinator/rules/statement.hpp"

namespace noctune::rules::gpu {

struct Accumulator {
  std::string name, type;
  std::string by;  // "+", a function of two values such as fmaxf, or the comparison that replaces: ">", "<"
};

// What the body accumulates, by name; nothing where it does anything else. Arrays are only read, functions
// are pure.
std::optional<std::vector<Accumulator>> accumulators_of(const Statements& body,
                                                        const std::set<std::string>& pure_calls);

// The statement that takes the value of another part into the accumulator; `other` is evaluated once.
std::string combine(const Accumulator& accumulator, const std::string& other);

}  // namespace noctune::rules::gpu
