// Too few blocks for the multiprocessors, or a last wave that fills few of them.
#include <cmath>

#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double few_waves = 5, short_tail = 0.3;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::parallelism;
}

Hint of_few_blocks(const ProfileFacts& facts, const HintContext& context, double waves) {
  const Fact &blocks = facts.blocks, &processors = context.ceilings.multiprocessors;
  double used = facts.sm_active.value_or(waves);
  Hint out;
  out.evidence = fixed(waves, 2) + " of one wave of blocks";
  if (blocks && processors && *processors > 0) {
    out.evidence = plain(*blocks) + " blocks on " + plain(*processors) + " multiprocessors, " +
                   fixed(waves, 2) + " of one wave";
    if (*blocks < *processors) used = std::min(used, *blocks / *processors);
  }
  out.severity = 1 - waves;
  out.message = "make more blocks: a smaller tile, or the long axis (of a sum, say) split over blocks";
  out.gain_bound = 1 - used;
  out.confidence = 0.8;
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  if (!facts.waves || *facts.waves <= 0) return {};
  const double waves = *facts.waves, tail = waves - std::floor(waves);
  if (waves < 1) return of_few_blocks(facts, context, waves);
  if (waves >= few_waves || tail <= 0 || tail >= short_tail) return {};
  Hint out;
  out.severity = 1 - waves / std::ceil(waves);
  out.evidence = fixed(waves, 2) + " waves of blocks: the last one fills " + whole_percent(tail) +
                 " of the multiprocessors";
  out.message = "choose a tile that gives whole waves, or let as many blocks as fit loop over the tiles";
  out.gain_bound = out.severity;
  out.confidence = 0.6;
  return out;
}

}  // namespace

const ProfileTool tail_tool = {"waves and tail", applies, run};

}  // namespace noctune
