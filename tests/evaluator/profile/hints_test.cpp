#include "evaluator/profile/hints.hpp"

#include "evaluator/profile/profile_sources.hpp"
#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names(const std::vector<Hint>& hints) {
  std::vector<std::string> out;
  for (const Hint& hint : hints) out.push_back(hint.tool);
  return out;
}

// Everything goes wrong at once.
ProfileFacts troubled() {
  ProfileFacts facts = counted();
  facts.seconds = 1e-3;
  facts.dram_bytes = 4e6;
  facts.sectors_per_load = 32;
  facts.local_share = 0.1;
  facts.lanes_active = 0.25;
  facts.stall_long_scoreboard = 0.6;
  facts.stall_barrier = 0.3;
  return facts;
}

HintContext bound_by(BottleneckClass kind) {
  HintContext context;
  context.bottleneck.kind = kind;
  context.dtype = "f32";
  context.compulsory_bytes = 1e6;
  return context;
}

TEST(BestHints, AreThoseOfTheClassByBoundedGain) {
  EXPECT_THAT(names(best_hints(troubled(), bound_by(BottleneckClass::memory))),
              ElementsAre("coalescing", "excess traffic", "spills"));
  EXPECT_THAT(names(best_hints(troubled(), bound_by(BottleneckClass::compute))),
              ElementsAre("divergence", "spills"));
  EXPECT_THAT(names(best_hints(troubled(), bound_by(BottleneckClass::latency), 2)),
              ElementsAre("coalescing", "divergence"));
}

TEST(BestHints, HearTheSecondClassAndAllOfThemWhenUnknown) {
  HintContext context = bound_by(BottleneckClass::compute);
  context.bottleneck.second = BottleneckClass::memory;
  EXPECT_EQ(names(best_hints(troubled(), context)).front(), "coalescing");
  EXPECT_EQ(best_hints(troubled(), bound_by(BottleneckClass::unknown), 20).size(), 6u);
}

TEST(BestHints, PromiseNoMoreThanTheRooflineLeaves) {
  HintContext context = bound_by(BottleneckClass::memory);
  context.ceilings.dram_rate = 2e9;  // half of the time at least
  for (const Hint& hint : best_hints(troubled(), context)) EXPECT_LE(hint.gain_bound, 0.5);
  context.ceilings.dram_rate = 1e9;  // at the roofline: nothing to say
  EXPECT_THAT(best_hints(troubled(), context), IsEmpty());
}

TEST(BestHints, AreOnlyAsSureAsTheFacts) {
  ProfileFacts facts = troubled();
  const double sure = best_hints(facts, bound_by(BottleneckClass::memory)).front().confidence;
  facts.confidence = 0.5;
  EXPECT_DOUBLE_EQ(best_hints(facts, bound_by(BottleneckClass::memory)).front().confidence, sure / 2);
  EXPECT_THAT(best_hints({}, bound_by(BottleneckClass::memory)), IsEmpty());
}

TEST(RooflineShare, TakesTheMemoryThatTheDataComesFrom) {
  ProfileFacts facts = counted();
  HintContext context = bound_by(BottleneckClass::memory);
  EXPECT_FALSE(roofline_share(facts, context));
  context.call_seconds = 1e-3;
  context.ceilings.dram_rate = 2e9;
  EXPECT_DOUBLE_EQ(*roofline_share(facts, context), 0.5);
  context.working_set_bytes = 1e6;
  context.ceilings.l2_bytes = 5e6;
  context.ceilings.l2_rate = 1e10;
  EXPECT_DOUBLE_EQ(*roofline_share(facts, context), 0.1);
  context.working_set_bytes.reset();
  context.ceilings.dram_rate = 1e8;  // faster than memory: it must come from the cache
  EXPECT_DOUBLE_EQ(*roofline_share(facts, context), 0.1);
  context.ceilings.l2_rate.reset();
  EXPECT_FALSE(roofline_share(facts, context));
}

TEST(RooflineShare, TakesTheOperationsOfTheType) {
  ProfileFacts facts = counted();
  facts.flops = 1e6;
  HintContext context = bound_by(BottleneckClass::compute);
  context.call_seconds = 1e-3;
  context.ceilings.flops_fp32 = 4e9;
  context.ceilings.flops_fp64 = 2e9;
  EXPECT_DOUBLE_EQ(*roofline_share(facts, context), 0.25);
  context.dtype = "f64";
  EXPECT_DOUBLE_EQ(*roofline_share(facts, context), 0.5);
  context.matrix_types = "fp64";  // the matrix unit may do better
  EXPECT_FALSE(roofline_share(facts, context));
}

TEST(BestHints, OfTheRecordedKernelAreFew) {
  HintContext context;
  context.dtype = "f32";
  context.ceilings.dram_rate = 3.43e12;
  context.ceilings.launch_seconds = 3.1e-6;
  context.call_seconds = 34e-6;
  context.compulsory_bytes = 12.0 * 8388608;
  context.working_set_bytes = 8.0 * 8388608;
  const KernelRows rows = recorded_rows();
  fill_limits_from_ncu(rows, context.ceilings);
  const ProfileFacts facts = facts_from_ncu(rows);
  context.bottleneck = bottleneck_class(facts, context.ceilings, context.call_seconds, true);
  // A plain saxpy near the roofline: coalesced, no waste, full occupancy.
  EXPECT_THAT(best_hints(facts, context), IsEmpty());
}

}  // namespace
}  // namespace noctune
