// Atomic updates of global memory that crowd out the rest, or loops of compare-and-swap in the code.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.1, throttled = 0.2, unknown_gain = 0.3;

bool applies(BottleneckClass kind, Vendor) {
  return is_one_of(kind, {BottleneckClass::memory, BottleneckClass::latency});
}

const char* const advice = "sum up in registers, then in the warp, then in the block: one atomic a block";

std::optional<Hint> by_counters(const ProfileFacts& facts) {
  const double share = facts.atomic_share.value_or(0), stall = facts.stall_lg_throttle.value_or(0);
  if (!facts.atomic_requests || *facts.atomic_requests <= 0) return {};
  if (share <= limit && stall <= throttled) return {};
  Hint out;
  out.severity = std::max(severity_between(share, limit, 0.6), severity_between(stall, throttled, 0.7));
  out.evidence = whole_percent(share) + " of the sectors in L2 are atomic updates";
  if (stall > throttled)
    out.evidence +=
        "; warps wait for the queue of loads and stores " + whole_percent(stall) + " of their time";
  out.message = advice;
  out.gain_bound = std::max(share, stall);
  out.confidence = share > limit ? 0.8 : 0.5;
  return out;
}

std::optional<Hint> by_code(const HintContext& context) {
  const Fact& loops = context.code.swap_loops;
  if (!loops || *loops <= 0) return {};
  Hint out;
  out.severity = 0.6;
  out.evidence = "the code has " + plain(*loops) + " atomics made of compare-and-swap loops";
  out.message = std::string(advice) + "; this chip has no floating-point atomic of its own here";
  out.gain_bound = unknown_gain;
  out.confidence = 0.5;
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  if (auto hint = by_counters(facts)) return hint;
  return by_code(context);
}

}  // namespace

const ProfileTool atomics_tool = {"atomics", applies, run};

}  // namespace noctune
