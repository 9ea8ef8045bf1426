// What keeps more warps off a multiprocessor, and the smallest step that lets one more block in.
#include <cmath>

#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.5, most_gain = 0.5, register_step = 8, shared_reserve = 1024;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::latency;
}

struct Limiter {
  std::string words;
  Fact step_occupancy;  // with one block more
};

Fact step_of(const ProfileFacts& facts, double blocks) {
  if (!facts.limit_warps || *facts.limit_warps < blocks + 1) return {};
  return (blocks + 1) / *facts.limit_warps;
}

// Registers come in steps of eight a thread.
Limiter by_registers(const ProfileFacts& facts, const HintContext& context, double blocks) {
  Limiter out{"registers", {}};
  if (!facts.registers || !facts.block_size || !context.ceilings.registers || *facts.block_size <= 0)
    return out;
  const double fit = *context.ceilings.registers / ((blocks + 1) * *facts.block_size);
  const double target = std::floor(fit / register_step) * register_step;
  if (target <= 0 || target >= *facts.registers) return out;
  out.words += " (" + plain(*facts.registers) + " a thread; " + plain(target) + " let one more block in)";
  out.step_occupancy = step_of(facts, blocks);
  return out;
}

Limiter by_shared(const ProfileFacts& facts, const HintContext& context, double blocks) {
  Limiter out{"shared memory", {}};
  if (!facts.shared_bytes || !context.ceilings.shared_bytes) return out;
  const double target = std::floor(*context.ceilings.shared_bytes / (blocks + 1) - shared_reserve);
  if (target <= 0 || target >= *facts.shared_bytes) return out;
  out.words +=
      " (" + plain(*facts.shared_bytes) + " bytes a block; " + plain(target) + " let one more block in)";
  out.step_occupancy = step_of(facts, blocks);
  return out;
}

std::optional<Limiter> limiter_of(const ProfileFacts& facts, const HintContext& context) {
  const Fact &registers = facts.limit_registers, &shared = facts.limit_shared, &blocks = facts.limit_blocks;
  if (registers && shared && blocks) {
    const double least = std::min({*registers, *shared, *blocks});
    if (least == *registers && least == *shared) return Limiter{"registers and shared memory alike", {}};
    if (least == *registers) return by_registers(facts, context, least);
    if (least == *shared) return by_shared(facts, context, least);
    return Limiter{"the number of blocks: these are small, so put more threads into each", {}};
  }
  if (facts.registers) return Limiter{plain(*facts.registers) + " registers a thread", {}};
  return {};
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const Fact& allowed = facts.occupancy_limit;
  if (!allowed || *allowed >= limit || *allowed <= 0) return {};
  if (facts.warps_eligible && *facts.warps_eligible >= 1) return {};
  const auto limiter = limiter_of(facts, context);
  if (!limiter) return {};
  Hint out;
  out.severity = severity_between(limit - *allowed, 0, limit);
  out.evidence = "only " + whole_percent(*allowed) + " of the warps fit";
  if (facts.warps_eligible) out.evidence += ", " + fixed(*facts.warps_eligible, 2) + " are ready in a cycle";
  out.message = "held back by " + limiter->words;
  if (limiter->step_occupancy) out.message += ", which gives " + whole_percent(*limiter->step_occupancy);
  out.gain_bound = std::min(1 - *allowed / limiter->step_occupancy.value_or(2 * *allowed), most_gain);
  out.confidence = facts.warps_eligible ? 0.7 : 0.4;
  return out;
}

}  // namespace

const ProfileTool occupancy_tool = {"occupancy", applies, run};

}  // namespace noctune
