#include "evaluator/profile/guidance.hpp"

#include <set>

#include "evaluator/profile/profile_metrics.hpp"
#include "evaluator/profile/profile_sources.hpp"
#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

HintContext h200() {
  HintContext context;
  context.ceilings.dram_rate = 3.43e12;
  context.ceilings.l2_rate = 7e12;
  context.ceilings.launch_seconds = 3.1e-6;
  context.call_seconds = 34e-6;
  return context;
}

TEST(Guidance, OfTheRecordedKernel) {
  const ProfileFacts facts = facts_from_ncu(recorded_rows());
  HintContext context = h200();
  context.bottleneck = bottleneck_class(facts, context.ceilings, context.call_seconds, true);
  const Hint hint{"excess traffic", 0.5, "twice the bytes", "tile", 0.42, 0.8};
  EXPECT_EQ(guidance_text(facts, context, {hint}),
            "Bound by memory (DRAM). Source: counters of ncu.\n"
            "Use: DRAM 2.54 TB/s, 74 % of the measured ceiling; L2 3.11 TB/s, 44 % of the measured "
            "ceiling; L2 hits 33 %; load/store pipe 14 % busy; issue slots 22 %; warps active 67 %; "
            "multiprocessors active 92 %; 16 registers a thread.\n"
            "1. twice the bytes: tile (at most 42 % of the time).\n");
}

TEST(Guidance, SaysWhereCountersAreMissing) {
  HintContext context = h200();
  const ProfileFacts facts = best_facts({}, {{"k", 96, 0, 0, 0, 0.25}}, {1e8, 2e7, 34e-6});
  context.bottleneck = bottleneck_class(facts, context.ceilings, context.call_seconds, true);
  EXPECT_THAT(guidance_text(facts, context, {}),
              AllOf(HasSubstr("no counters here"), HasSubstr("DRAM at least 2.94 TB/s"),
                    HasSubstr("warps that fit 25 %"), HasSubstr("96 registers a thread")));
}

TEST(Guidance, NamesEveryClass) {
  std::set<std::string> lines;
  HintContext context;
  for (const auto kind : {BottleneckClass::unknown, BottleneckClass::memory, BottleneckClass::compute,
                          BottleneckClass::latency, BottleneckClass::parallelism, BottleneckClass::launch}) {
    context.bottleneck.kind = kind;
    lines.insert(guidance_text(counted(), context, {}));
  }
  EXPECT_EQ(lines.size(), 6u);
  context.bottleneck.second = BottleneckClass::latency;
  EXPECT_THAT(guidance_text(counted(), context, {}), HasSubstr("; nearly by latency"));
}

TEST(Guidance, IsSilentWithoutFacts) {
  EXPECT_THAT(guidance_text({}, {}, {}), IsEmpty());
}

TEST(ProfileMetrics, HoldEveryKnownFactAndNoUnknownOne) {
  const ProfileFacts facts = facts_from_ncu(recorded_rows());
  HintContext context = h200();
  const Bottleneck found = bottleneck_class(facts, context.ceilings, context.call_seconds, true);
  const Hint hint{"spills", 0.5, "e", "m", 0.42, 0.8};
  std::map<std::string, ProfileMetric> rows;
  for (const ProfileMetric& row : profile_metrics(facts, found, {hint})) {
    EXPECT_TRUE(rows.emplace(row.metric, row).second) << row.metric;
    EXPECT_LE(row.metric.size(), 96u);
    EXPECT_LE(row.unit.size(), 32u);
  }
  EXPECT_DOUBLE_EQ(rows.at("dram_bytes").value, 82296576);
  EXPECT_EQ(rows.at("dram_bytes").unit, "B");
  EXPECT_NEAR(rows.at("use_dram").value, 0.74, 0.01);
  EXPECT_EQ(rows.count("class:memory"), 1u);
  EXPECT_EQ(rows.count("source:counters"), 1u);
  EXPECT_DOUBLE_EQ(rows.at("hint:spills").value, 0.42);
  EXPECT_EQ(rows.count("spill_bytes"), 0u);
  EXPECT_EQ(rows.count("conflicts_per_access"), 0u);
}

TEST(ProfileMetrics, AreNoneWithoutFacts) {
  EXPECT_THAT(profile_metrics({}, {}, {}), IsEmpty());
}

}  // namespace
}  // namespace noctune
