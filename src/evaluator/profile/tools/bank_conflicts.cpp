// Extra turns of shared memory. Wide lanes take 2 or 4 wavefronts without any conflict, and both counters
// take in matrix instructions, so the conflict counter decides where it is known.
#include "evaluator/profile/tools/tools.hpp"

namespace noctune {
namespace {

constexpr double limit = 0.3, widest = 4, least_share = 0.05;

bool applies(BottleneckClass kind, Vendor) {
  return is_one_of(kind, {BottleneckClass::memory, BottleneckClass::compute, BottleneckClass::latency});
}

const char* const advice = "pad each row by one element, or swizzle the index within a row";

// Time that shared memory is in the way for.
double in_the_way(const ProfileFacts& facts) {
  const double stalled = facts.stall_short_scoreboard.value_or(0) + facts.stall_mio_throttle.value_or(0);
  return std::min(std::max(stalled, facts.pipe_lsu.value_or(0)), 1.0);
}

std::optional<Hint> by_wavefronts(const ProfileFacts& facts) {
  const Fact &accesses = facts.shared_instructions, &wavefronts = facts.shared_wavefronts;
  if (!accesses || !wavefronts || *accesses <= 0 || *wavefronts <= 0) return {};
  const double per_access = *wavefronts / *accesses;
  const double extra = facts.conflicts_per_access ? *facts.conflicts_per_access : per_access / widest - 1;
  if (extra <= limit || per_access <= 1 + limit) return {};
  Hint out;
  out.severity = severity_between(extra, limit, 8);
  out.evidence = "an access to shared memory takes " + plain(per_access) + " turns, " + plain(extra) +
                 " of them for bank conflicts";
  out.message = advice;
  out.gain_bound = in_the_way(facts) * std::min(extra / per_access, 1.0);
  out.confidence = facts.conflicts_per_access ? 0.8 : 0.4;
  return out;
}

std::optional<Hint> by_share(const ProfileFacts& facts) {
  const Fact& share = facts.bank_conflict_share;
  if (!share || *share <= least_share) return {};
  Hint out;
  out.severity = severity_between(*share, least_share, 0.5);
  out.evidence = "bank conflicts of the local data share stall " + whole_percent(*share) + " of the time";
  out.message = advice;
  out.gain_bound = *share;
  out.confidence = 0.8;
  return out;
}

std::optional<Hint> run(const ProfileFacts& facts, const HintContext& context) {
  return context.vendor == Vendor::nvidia ? by_wavefronts(facts) : by_share(facts);
}

}  // namespace

const ProfileTool bank_conflicts_tool = {"bank conflicts", applies, run};

}  // namespace noctune
