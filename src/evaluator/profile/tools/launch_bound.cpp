// Time between kernels: by graph nodes where these were timed, else by the price of empty launches.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.3;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::launch;
}

Fact gap_seconds(const ProfileFacts& facts, const HintContext& context) {
  if (!context.call_seconds) return {};
  if (context.graph_seconds) return *context.call_seconds - *context.graph_seconds;
  if (!context.ceilings.launch_seconds || !facts.launches) return {};
  return *facts.launches * *context.ceilings.launch_seconds;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const Fact gap = gap_seconds(facts, context);
  if (!gap || *context.call_seconds <= 0) return {};
  const double share = std::min(*gap / *context.call_seconds, 1.0);
  if (share <= limit) return {};
  const double kernels = facts.launches.value_or(1);
  Hint out;
  out.severity = severity_between(share, limit, 0.9);
  out.evidence = duration_text(*gap) + " of " + duration_text(*context.call_seconds) + " is launching";
  out.message =
      kernels > 1 ? "fuse the " + plain(kernels) + " kernels, or do more in each" : "do more in one launch";
  out.gain_bound = kernels > 1 ? share * (1 - 1 / kernels) : share / 2;
  out.confidence = context.graph_seconds ? 0.8 : 0.6;
  return out;
}

}  // namespace

const ProfileTool launch_bound_tool = {"launch bound", applies, run};

}  // namespace noctune
