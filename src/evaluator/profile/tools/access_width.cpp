// Narrow loads where the rows are aligned for wide ones.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.5, least_gain = 0.05;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::memory;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const Fact& narrow = context.code.narrow_load_share;
  if (!narrow || *narrow <= limit || !context.wide_aligned || !*context.wide_aligned) return {};
  // Four times fewer load instructions help as far as these are in the way.
  const double in_the_way =
      std::max({facts.stall_lg_throttle.value_or(0), facts.pipe_lsu.value_or(0), least_gain});
  Hint out;
  out.severity = severity_between(*narrow, limit, 1);
  out.evidence = whole_percent(*narrow) + " of the bytes are loaded by at most 4 bytes a lane";
  out.message = "load 16 bytes a lane (float4, double2) and keep a scalar loop for what is left over";
  out.gain_bound = 0.75 * in_the_way;
  out.confidence = 0.5;
  return out;
}

}  // namespace

const ProfileTool access_width_tool = {"access width", applies, run};

}  // namespace noctune
