// Misses in the second cache while tiles could share data that does not fit it as a whole.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double least_hit = 0.5;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::memory;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const Fact &live = context.working_set_bytes, &cache = context.ceilings.l2_bytes;
  if (!facts.l2_hit || !live || !cache || !context.reuse_possible) return {};
  if (*facts.l2_hit >= least_hit || !*context.reuse_possible || *live <= *cache) return {};
  Hint out;
  out.severity = severity_between(least_hit - *facts.l2_hit, 0, least_hit);
  out.evidence = whole_percent(*facts.l2_hit) + " of the requests hit L2; " + bytes_text(*live) +
                 " are live against " + bytes_text(*cache) + " of L2";
  out.message = "order the blocks so that those running together share rows or tiles";
  out.gain_bound = least_hit - *facts.l2_hit;
  out.confidence = 0.5;
  return out;
}

}  // namespace

const ProfileTool l2_locality_tool = {"L2 locality", applies, run};

}  // namespace noctune
