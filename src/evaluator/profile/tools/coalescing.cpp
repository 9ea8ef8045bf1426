// Sectors that a warp's request touches, against what its lanes need: 4, 8 or 16 for lanes of 4, 8 or 16
// bytes. Where the width of loads is unknown, a count that wider loads would explain says nothing.
#include <cmath>

#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

// 32 lanes of b bytes fill b sectors of 32 bytes.
constexpr double limit = 1.5, widest_lane = 16;

bool applies(BottleneckClass kind, Vendor) {
  return is_one_of(kind, {BottleneckClass::memory, BottleneckClass::latency});
}

double bytes_of(const std::string& dtype) {
  return dtype == "f64" ? 8 : dtype == "f16" ? 2 : 4;
}

bool is_explained_by_width(double sectors) {
  for (const double ideal : {8.0, 16.0})
    if (std::abs(sectors - ideal) < 0.05 * ideal) return true;
  return false;
}

struct Access {
  double sectors = 0, ideal = 0, confidence = 0;
  const char* what = "";
};

std::optional<Access> judge(const Fact& sectors, const char* what, const Fact& lane_bytes,
                            const std::string& dtype) {
  if (!sectors) return {};
  Access out{*sectors, widest_lane, 0.9, what};
  const bool beyond_any_width = *sectors > limit * widest_lane;
  if (lane_bytes) {
    out.ideal = *lane_bytes;
  } else if (!dtype.empty()) {
    if (is_explained_by_width(*sectors)) return {};
    out.ideal = bytes_of(dtype);
    out.confidence = beyond_any_width ? 0.9 : 0.6;
  }
  if (out.ideal <= 0 || out.sectors <= limit * out.ideal) return {};
  return out;
}

std::optional<Hint> by_sectors(const ProfileFacts& facts, const HintContext& context) {
  std::optional<Access> worst =
      judge(facts.sectors_per_load, "load", context.code.load_lane_bytes, context.dtype);
  const std::optional<Access> store = judge(facts.sectors_per_store, "store", {}, context.dtype);
  if (store && (!worst || store->sectors / store->ideal > worst->sectors / worst->ideal)) worst = store;
  if (!worst) return {};
  const double wasted = 1 - worst->ideal / worst->sectors;
  Hint out;
  out.severity = severity_between(worst->sectors / worst->ideal, limit, 8);
  out.evidence = "each warp's " + std::string(worst->what) + " touches " + plain(worst->sectors) +
                 " sectors where " + plain(worst->ideal) + " would do (" + whole_percent(wasted) +
                 " of the moved bytes unused)";
  out.message =
      "let neighbouring threads access neighbouring addresses, or bring the tile through shared memory";
  out.gain_bound =
      wasted * std::max(context.bottleneck.use.memory().value_or(1), facts.stall_long_scoreboard.value_or(0));
  out.confidence = worst->confidence;
  return out;
}

// AMD and Hygon count no sectors: a stalled memory unit while most loads are narrow.
std::optional<Hint> by_stalls(const ProfileFacts& facts, const HintContext& context) {
  constexpr double stalled = 0.2, narrow = 0.5;
  const Fact& share = context.code.narrow_load_share;
  if (!facts.memory_stalled || !share || *facts.memory_stalled < stalled || *share < narrow) return {};
  Hint out;
  out.severity = severity_between(*facts.memory_stalled, stalled, 0.8);
  out.evidence = "the memory unit is stalled for " + whole_percent(*facts.memory_stalled) + " of the time, " +
                 whole_percent(*share) + " of the bytes come in loads of at most 4 bytes a lane";
  out.message = "let neighbouring lanes load neighbouring addresses, 8 or 16 bytes each";
  out.gain_bound = *facts.memory_stalled;
  out.confidence = 0.4;
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  return context.vendor == Vendor::nvidia ? by_sectors(facts, context) : by_stalls(facts, context);
}

}  // namespace

const ProfileTool coalescing_tool = {"coalescing", applies, run};

}  // namespace noctune
