// Warps that wait for each other. AMD and Hygon have no such counter: barriers in the code while the vector
// pipe idles.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.2, idle = 0.3, unknown_gain = 0.2;

bool applies(BottleneckClass kind, Vendor) {
  return kind == BottleneckClass::latency;
}

const char* const advice =
    "double-buffer the tile so that one barrier a step is enough, or exchange within a warp by shuffles";

std::optional<Hint> hint_of(double share, std::string evidence, double gain, double confidence) {
  Hint out;
  out.severity = severity_between(share, limit, 0.7);
  out.evidence = std::move(evidence);
  out.message = advice;
  out.gain_bound = gain;
  out.confidence = confidence;
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  const Fact& barriers = context.code.barriers;
  const std::string counted = barriers ? "; the code has " + plain(*barriers) + " barriers" : "";
  if (context.vendor == Vendor::nvidia) {
    const Fact& share = facts.stall_barrier;
    if (!share || *share <= limit) return {};
    return hint_of(*share, "warps wait at barriers " + whole_percent(*share) + " of their time" + counted,
                   *share, 0.8);
  }
  if (!barriers || *barriers < 1 || !facts.pipe_valu || *facts.pipe_valu >= idle) return {};
  return hint_of(idle,
                 "the vector pipe is busy " + whole_percent(*facts.pipe_valu) + " of the time" + counted,
                 unknown_gain, 0.3);
}

}  // namespace

const ProfileTool barriers_tool = {"barriers", applies, run};

}  // namespace noctune
