#include "evaluator/profile/hints.hpp"

#include <algorithm>
#include <utility>

#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

// A call is that much faster than its memory could be by the noise of either measurement.
constexpr double faster_than_measured = 1.05, least_gain = 0.01;

const ProfileTool* const tool_table[] = {
    &coalescing_tool,   &excess_traffic_tool, &l2_locality_tool,    &access_width_tool, &spills_tool,
    &occupancy_tool,    &bank_conflicts_tool, &memory_latency_tool, &barriers_tool,     &tail_tool,
    &launch_bound_tool, &pipe_mix_tool,       &matrix_unit_tool,    &divergence_tool,   &atomics_tool};

bool is_wanted(const ProfileTool& tool, const HintContext& context) {
  const Bottleneck& found = context.bottleneck;
  return found.kind == BottleneckClass::unknown || tool.applies(found.kind, context.vendor) ||
         (found.second && tool.applies(*found.second, context.vendor));
}

Fact seconds_of(const ProfileFacts& facts, const HintContext& context) {
  return context.call_seconds ? context.call_seconds : facts.seconds;
}

// By the memory, else, where the data comes faster than that, by the second cache.
Fact memory_floor(const HintContext& context, double seconds) {
  if (!context.compulsory_bytes) return {};
  const ProfileCeilings& ceilings = context.ceilings;
  const bool cached =
      context.working_set_bytes && ceilings.l2_bytes && *context.working_set_bytes <= *ceilings.l2_bytes;
  for (const Fact& rate : {cached ? Fact() : ceilings.dram_rate, ceilings.l2_rate}) {
    if (!rate || *rate <= 0) continue;
    const double share = *context.compulsory_bytes / *rate / seconds;
    if (share <= faster_than_measured) return share;
  }
  return {};
}

// Not where the matrix unit may be faster than the pipes.
Fact compute_floor(const ProfileFacts& facts, const HintContext& context, double seconds) {
  if (!context.matrix_types.empty() || !facts.flops) return {};
  const Fact peak = context.dtype == "f64"   ? context.ceilings.flops_fp64
                    : context.dtype == "f32" ? context.ceilings.flops_fp32
                                             : Fact();
  if (!peak || *peak <= 0) return {};
  return *facts.flops / *peak / seconds;
}

bool is_better(const Hint& a, const Hint& b) {
  return std::pair(a.gain_bound, a.confidence) > std::pair(b.gain_bound, b.confidence);
}

}  // namespace

Fact roofline_share(const ProfileFacts& facts, const HintContext& context) {
  const Fact seconds = seconds_of(facts, context);
  if (!seconds || *seconds <= 0) return {};
  const Fact memory = memory_floor(context, *seconds), compute = compute_floor(facts, context, *seconds);
  if (!memory && !compute) return {};
  return std::min(std::max(memory.value_or(0), compute.value_or(0)), 1.0);
}

std::vector<Hint> best_hints(const ProfileFacts& facts, const HintContext& context, std::size_t count) {
  const double most = 1 - roofline_share(facts, context).value_or(0);
  std::vector<Hint> out;
  for (const ProfileTool* tool : tool_table) {
    if (!is_wanted(*tool, context)) continue;
    std::optional<Hint> hint = tool->run(facts, context);
    if (!hint) continue;
    hint->tool = tool->name;
    hint->gain_bound = std::clamp(hint->gain_bound, 0.0, most);
    hint->confidence *= facts.confidence;
    if (hint->gain_bound < least_gain) continue;
    out.push_back(std::move(*hint));
  }
  std::stable_sort(out.begin(), out.end(), is_better);
  if (out.size() > count) out.resize(count);
  return out;
}

}  // namespace noctune
