// One idea of a plan: why a version should be faster, before it is written.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace noctune {

// What a change acts on; also a candidate's kind. The catalogue of rules uses the same words.
inline constexpr std::array mechanisms = {"parallelism", "memory access", "tiling",  "synchronisation",
                                          "arithmetic",  "algorithm",     "compiler"};

struct Hypothesis {
  std::string name;          // short: "block over rows"
  std::string mechanism;     // one of `mechanisms`
  std::string what;          // the change, in a few sentences
  std::string counter;       // what should move if it is right: "last-level misses down"
  double expected_gain = 1;  // time of the base over time of the version, the model's guess
  std::string risk;
  std::vector<std::string> patterns;  // ids of offered patterns it builds on
  bool radical = false;               // starts again from K(0)
  bool combines = false;              // joins earlier wins
};

}  // namespace noctune
