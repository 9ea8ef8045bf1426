#include "evaluator/profile/bottleneck.hpp"

#include "evaluator/profile/profile_sources.hpp"
#include "profile_fixture.hpp"

namespace noctune {
namespace {

constexpr auto memory = BottleneckClass::memory, compute = BottleneckClass::compute,
               latency = BottleneckClass::latency, parallelism = BottleneckClass::parallelism,
               launch = BottleneckClass::launch, unknown = BottleneckClass::unknown;

ProfileCeilings ceilings() {
  ProfileCeilings out;
  out.dram_rate = 1000;
  out.l2_rate = 5000;
  out.flops_fp32 = 1e6;
  out.flops_fp64 = 5e5;
  out.launch_seconds = 3e-6;
  return out;
}

// A call that is busy with nothing.
ProfileFacts idle() {
  ProfileFacts facts = counted();
  facts.seconds = 1e-3;
  facts.launches = 1;
  facts.dram_rate = 200;
  facts.l2_rate = 500;
  facts.pipe_fma = 0.2;
  facts.pipe_lsu = 0.1;
  facts.issue = 0.3;
  facts.waves = 20;
  facts.sm_active = 0.97;
  return facts;
}

Bottleneck of(const ProfileFacts& facts, const Fact& seconds = {}) {
  return bottleneck_class(facts, ceilings(), seconds, true);
}

TEST(BottleneckClass, Memory) {
  ProfileFacts facts = idle();
  facts.dram_rate = 800;
  EXPECT_EQ(of(facts).kind, memory);
  EXPECT_EQ(of(facts).resource, "DRAM");
  EXPECT_FALSE(of(facts).second);
  facts.l2_rate = 4500;
  EXPECT_EQ(of(facts).resource, "L2");
}

TEST(BottleneckClass, Compute) {
  ProfileFacts facts = idle();
  facts.pipe_xu = 0.7;
  EXPECT_EQ(of(facts).kind, compute);
  EXPECT_EQ(of(facts).resource, "special function pipe");
  facts.issue = 0.9;
  EXPECT_EQ(of(facts).resource, "issue slots");
}

TEST(BottleneckClass, Latency) {
  EXPECT_EQ(of(idle()).kind, latency);
  EXPECT_FALSE(of(idle()).second);
}

TEST(BottleneckClass, Parallelism) {
  ProfileFacts few = idle(), uneven = idle();
  few.waves = 0.4;
  uneven.sm_active = 0.5;
  EXPECT_EQ(of(few).kind, parallelism);
  EXPECT_EQ(of(uneven).kind, parallelism);
  EXPECT_FALSE(of(uneven).second);
}

TEST(BottleneckClass, LaunchComesFirst) {
  ProfileFacts facts = idle();
  facts.waves = 0.1;
  facts.dram_rate = 900;
  EXPECT_EQ(of(facts, 8e-6).kind, launch);
  EXPECT_EQ(of(facts, 1e-3).kind, parallelism);
  facts.seconds = 5e-6;
  EXPECT_EQ(of(facts).kind, launch);  // the profiler's time where there is no other
  facts.launches = 20;
  EXPECT_EQ(of(facts, 100e-6).kind, launch);  // 5 us a launch
}

TEST(BottleneckClass, KeepsTheSecondWithinTenPoints) {
  ProfileFacts facts = idle();
  facts.dram_rate = 800;
  facts.pipe_fma = 0.72;
  EXPECT_EQ(of(facts).second, compute);
  facts.pipe_fma = 0.68;
  EXPECT_FALSE(of(facts).second);
  facts.pipe_fma = 0.85;
  EXPECT_EQ(of(facts).kind, compute);
  EXPECT_EQ(of(facts).second, memory);
  facts.sm_active = 0.65;
  EXPECT_EQ(of(facts).kind, parallelism);
  EXPECT_EQ(of(facts).second, compute);
  facts.sm_active = 0.75;
  facts.dram_rate = 100;
  EXPECT_EQ(of(facts).second, parallelism);
  EXPECT_EQ(of(facts, 8.5e-6).second, compute);
  ProfileFacts waiting = idle();
  waiting.dram_rate = 550;
  EXPECT_EQ(of(waiting).kind, latency);
  EXPECT_EQ(of(waiting).second, memory);
}

TEST(BottleneckClass, IsUnknownWithoutEvidence) {
  EXPECT_EQ(of({}).kind, unknown);
  EXPECT_EQ(of({}).confidence, 0);
  ProfileFacts facts = counted();
  facts.dram_rate = 100;  // low; nothing about computing
  EXPECT_EQ(of(facts).kind, unknown);
  facts.dram_rate = 900;  // enough for memory
  EXPECT_EQ(of(facts).kind, memory);
}

TEST(BottleneckClass, TakesTheNominalPeakWithoutACeiling) {
  ProfileFacts facts = idle();
  facts.dram_peak_share = 0.9;
  EXPECT_EQ(bottleneck_class(facts, {}, {}, true).kind, memory);
}

TEST(BottleneckClass, OfBytesAndOperationsAlone) {
  const auto of_task = [](double bytes, double flops) {
    return of(facts_from_model({bytes, flops, 1.0}), 1.0);
  };
  EXPECT_EQ(of_task(900, 1e5).kind, memory);
  EXPECT_EQ(of_task(100, 9e5).kind, compute);
  EXPECT_EQ(of_task(100, 9e5).resource, "arithmetic");
  EXPECT_EQ(of_task(100, 1e5).kind, latency);
  EXPECT_LT(of_task(900, 1e5).confidence, 0.5);
  // In double precision the same operations are nearer to the peak.
  EXPECT_EQ(bottleneck_class(facts_from_model({100, 4e5, 1.0}), ceilings(), 1.0, false).kind, compute);
}

TEST(BottleneckClass, OfAmdCounters) {
  ProfileFacts facts = counted();
  facts.dram_rate = 100;
  facts.pipe_valu = 0.8;
  facts.pipe_salu = 0.2;
  EXPECT_EQ(of(facts).kind, compute);
  EXPECT_EQ(of(facts).resource, "vector pipe");
}

TEST(BottleneckClass, OfTheRecordedKernel) {
  ProfileCeilings measured;
  measured.dram_rate = 3.43e12;
  measured.l2_rate = 7e12;
  measured.launch_seconds = 3.1e-6;
  const Bottleneck found = bottleneck_class(facts_from_ncu(recorded_rows()), measured, 34e-6, true);
  EXPECT_EQ(found.kind, memory);
  EXPECT_EQ(found.resource, "DRAM");
  EXPECT_NEAR(*found.use.dram, 0.74, 0.01);
  EXPECT_FALSE(found.second);
}

}  // namespace
}  // namespace noctune
