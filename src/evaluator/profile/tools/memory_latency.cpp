// Warps that wait for global loads. On AMD and Hygon: code that waits after nearly every load.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.4, each_load = 0.8, unknown_gain = 0.3;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::latency;
}

const char* const advice =
    "issue the loads of the next tile before using this one, with several independent "
    "loads a thread and asynchronous copies where the chip has them";

std::optional<Hint> by_stalls(const ProfileFacts& facts, const HintContext& context) {
  const Fact& share = facts.stall_long_scoreboard;
  if (!share || *share <= limit || (facts.warps_eligible && *facts.warps_eligible >= 1)) return {};
  Hint out;
  out.severity = severity_between(*share, limit, 0.9);
  out.evidence = "warps wait for global memory " + whole_percent(*share) + " of their time";
  if (facts.warps_eligible) out.evidence += ", " + fixed(*facts.warps_eligible, 2) + " are ready in a cycle";
  out.message = advice;
  out.gain_bound = std::min(*share, 1 - context.bottleneck.use.memory().value_or(0));
  out.confidence = 0.7;
  return out;
}

std::optional<Hint> by_waits(const HintContext& context) {
  const Fact &loads = context.code.loads, &waits = context.code.load_waits;
  if (!loads || !waits || *loads <= 0 || *waits < each_load * *loads) return {};
  Hint out;
  out.severity = 0.5;
  out.evidence = plain(*waits) + " waits for " + plain(*loads) + " loads: nearly each is waited for at once";
  out.message = advice;
  out.gain_bound = std::min(unknown_gain, 1 - context.bottleneck.use.memory().value_or(0));
  out.confidence = 0.4;
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  return context.vendor == Vendor::nvidia ? by_stalls(facts, context) : by_waits(context);
}

}  // namespace

const ProfileTool memory_latency_tool = {"memory latency", applies, run};

}  // namespace noctune
