// Lanes that are switched off while their warp runs.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit_of_32 = 28.0 / 32, limit_of_64 = 0.85;

bool applies(BottleneckClass kind, Vendor) {
  return is_one_of(kind, {BottleneckClass::compute, BottleneckClass::latency});
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const bool wide = context.vendor != Vendor::nvidia;
  const double limit = wide ? limit_of_64 : limit_of_32, lanes = wide ? 64 : 32;
  if (!facts.lanes_active || *facts.lanes_active >= limit) return {};
  Hint out;
  out.severity = severity_between(limit - *facts.lanes_active, 0, limit);
  out.evidence = plain(*facts.lanes_active * lanes) + " of " + plain(lanes) +
                 " lanes are active in the average instruction";
  out.message =
      "group work that takes the same branch, predicate short branches, handle edges in blocks of "
      "their own";
  out.gain_bound = 1 - *facts.lanes_active;
  out.confidence = 0.7;
  return out;
}

}  // namespace

const ProfileTool divergence_tool = {"divergence", applies, run};

}  // namespace noctune
