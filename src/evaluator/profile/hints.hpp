// Small tools that turn a profile into advice, and the choice of the advice that is worth most.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/profile/bottleneck.hpp"
#include "evaluator/profile/profile_facts.hpp"

namespace noctune {

// Counted in the machine code; nothing = not looked at.
struct CodeCounts {
  Fact narrow_load_share;  // of loaded bytes, by loads of at most four bytes a lane
  Fact load_lane_bytes;    // bytes per lane of the usual global load
  Fact loads, load_waits;  // global loads, and the places that wait for them (s_waitcnt)
  Fact barriers;           // BAR or s_barrier
  Fact matrix_instructions;
  Fact swap_loops;  // atomics made of compare-and-swap
};

// What tools may know beside the profile; nothing = unknown, and tools that need it stay silent.
struct HintContext {
  Vendor vendor = Vendor::nvidia;
  Bottleneck bottleneck;
  ProfileCeilings ceilings;
  CodeCounts code;
  Fact call_seconds;   // one call, without profiler
  Fact graph_seconds;  // the same as nodes of a graph: without launch gaps
  Fact compulsory_bytes, working_set_bytes;
  std::string dtype;                   // "f32", "f64", "f16"; empty = unknown
  std::optional<bool> reuse_possible;  // tiles could share data
  std::optional<bool> wide_aligned;    // rows start at multiples of 16 bytes
  std::optional<bool> contraction;     // sums of products over a shared index
  std::string matrix_types;            // that the tolerance allows: "fp16, bf16"; empty = none or unknown
};

struct Hint {
  std::string tool;
  double severity = 0;    // 0 to 1: how far beyond the rule's limit
  std::string evidence;   // the numbers
  std::string message;    // what to do
  double gain_bound = 0;  // share of the call's time that could be saved at most
  double confidence = 0;  // 0 to 1
};

struct ProfileTool {
  const char* name;
  bool (*applies)(BottleneckClass kind, Vendor vendor);
  std::optional<Hint> (*run)(const ProfileFacts& facts, const HintContext& context);
};

// The best by bounded gain, at most `count`. Tools run for the class and for the second one; an unknown class
// leaves all of them in. No bound exceeds what the roofline leaves; what could save less than 1 % is left
// out.
std::vector<Hint> best_hints(const ProfileFacts& facts, const HintContext& context, std::size_t count = 3);

// Share of the time that the task's bytes at the measured bandwidth, or its operations at the measured peak,
// take at least.
Fact roofline_share(const ProfileFacts& facts, const HintContext& context);

}  // namespace noctune
