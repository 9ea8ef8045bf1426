#include "evaluator/profile/profile_facts.hpp"

#include <set>

#include "evaluator/profile/profile_sources.hpp"
#include "evaluator/profile/rocm_csv.hpp"
#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

KernelMetrics counters(std::map<std::string, double> values) {
  KernelMetrics row;
  row.kernel = "k";
  for (const auto& [name, value] : values) row.counters[name] = {value, ""};
  return row;
}

TEST(NcuFacts, OfTheRecordedKernel) {
  const ProfileFacts facts = facts_from_ncu(recorded_rows());
  EXPECT_EQ(facts.source, ProfileSource::counters);
  EXPECT_EQ(facts.tool, "ncu");
  EXPECT_DOUBLE_EQ(*facts.seconds, 32.384e-6);
  EXPECT_DOUBLE_EQ(*facts.launches, 1);
  EXPECT_NEAR(*facts.dram_rate, 2.5413e12, 1e9);
  EXPECT_DOUBLE_EQ(*facts.dram_peak_share, 0.5287);
  EXPECT_NEAR(*facts.l2_rate, 3145728 * 32 / 32.384e-6, 1e6);
  EXPECT_NEAR(*facts.l2_hit, 1.0 / 3, 1e-9);
  EXPECT_DOUBLE_EQ(*facts.l1_hit, 0);
  EXPECT_DOUBLE_EQ(*facts.pipe_lsu, 0.1375);
  EXPECT_DOUBLE_EQ(*facts.issue, 0.2188);
  EXPECT_DOUBLE_EQ(*facts.warps_eligible, 0.68);
  EXPECT_DOUBLE_EQ(*facts.waves, 31.03);
  EXPECT_DOUBLE_EQ(*facts.registers, 16);
  EXPECT_DOUBLE_EQ(*facts.occupancy_limit, 1);
  EXPECT_DOUBLE_EQ(*facts.sectors_per_load, 4);
  EXPECT_DOUBLE_EQ(*facts.sectors_per_store, 4);
  EXPECT_DOUBLE_EQ(*facts.local_share, 0);
  EXPECT_NEAR(*facts.stall_long_scoreboard, 36.99 / 51.25, 1e-9);
  EXPECT_DOUBLE_EQ(*facts.lanes_active, 1);
  EXPECT_DOUBLE_EQ(*facts.atomic_share, 0);
  EXPECT_DOUBLE_EQ(*facts.flops_fp32, 2.0 * 8388608);
  EXPECT_DOUBLE_EQ(*facts.flops, 2.0 * 8388608);
  // No shared instruction, though the chip counts wavefronts: no ratio.
  EXPECT_FALSE(facts.conflicts_per_access);
  EXPECT_FALSE(facts.spill_bytes);
  EXPECT_FALSE(facts.pipe_valu);
  EXPECT_THAT(facts.doubts, IsEmpty());
}

TEST(NcuFacts, WhatWasNotCountedIsUnknown) {
  const auto rows = read_ncu_csv(profile_data("ncu-h200-few-metrics.csv"));
  ASSERT_TRUE(rows);
  const ProfileFacts facts = facts_from_ncu(*rows);
  EXPECT_TRUE(facts.dram_rate);  // bytes over time
  EXPECT_FALSE(facts.l2_hit);
  EXPECT_FALSE(facts.flops);
  EXPECT_FALSE(facts.stall_barrier);
  EXPECT_FALSE(facts.local_share);
  EXPECT_FALSE(facts.atomic_share);
}

TEST(NcuFacts, ANotAvailableFlopLeavesTheSumUnknown) {
  const auto rows =
      read_ncu_csv(replaced(profile_data("ncu-h200-all-metrics.csv"), "\"0\",\"0\",\"0\",\"0\",\"15,887.52\"",
                            "\"0\",\"0\",\"0\",\"n/a\",\"15,887.52\""));
  ASSERT_TRUE(rows);
  EXPECT_FALSE(facts_from_ncu(*rows).flops);
}

TEST(NcuFacts, FillLimitsOfTheDevice) {
  ProfileCeilings ceilings;
  ceilings.l2_bytes = 5;
  fill_limits_from_ncu(recorded_rows(), ceilings);
  EXPECT_DOUBLE_EQ(*ceilings.multiprocessors, 132);
  EXPECT_DOUBLE_EQ(*ceilings.registers, 65536);
  EXPECT_DOUBLE_EQ(*ceilings.shared_bytes, 233472);
  EXPECT_DOUBLE_EQ(*ceilings.warps, 64);
  EXPECT_DOUBLE_EQ(*ceilings.l2_bytes, 5);  // what was measured stays
  EXPECT_FALSE(ceilings.dram_rate);
}

TEST(NcuFacts, CutSharesThatPassesPushedOut) {
  const ProfileFacts facts =
      facts_from_ncu({counters({{"lts__t_sectors_srcunit_tex.sum", 100},
                                {"lts__t_sectors_srcunit_tex_lookup_miss.sum", 103},
                                {"smsp__issue_active.avg.pct_of_peak_sustained_active", 101}})});
  EXPECT_DOUBLE_EQ(*facts.l2_hit, 0);
  EXPECT_DOUBLE_EQ(*facts.issue, 1);
  EXPECT_THAT(facts.doubts, ElementsAre(HasSubstr("l2_hit was -0.03"), HasSubstr("issue was 1.01")));
}

TEST(MergeKernels, WeighsByTimeAndAddsCounts) {
  const auto kernel = [](double ns, double bytes, double issue, double registers, const char* name) {
    KernelMetrics row = counters({{"gpu__time_duration.sum", ns},
                                  {"dram__bytes.sum", bytes},
                                  {"smsp__issue_active.avg.pct_of_peak_sustained_active", issue},
                                  {"launch__registers_per_thread", registers}});
    row.kernel = name;
    return row;
  };
  const ProfileFacts facts =
      facts_from_ncu({kernel(1000, 4000, 80, 20, "short"), kernel(3000, 2000, 40, 60, "long")});
  EXPECT_DOUBLE_EQ(*facts.seconds, 4e-6);
  EXPECT_DOUBLE_EQ(*facts.launches, 2);
  EXPECT_DOUBLE_EQ(*facts.dram_bytes, 6000);
  EXPECT_DOUBLE_EQ(*facts.dram_rate, 1.5e9);
  EXPECT_DOUBLE_EQ(*facts.issue, 0.5);
  EXPECT_DOUBLE_EQ(*facts.registers, 60);
  EXPECT_EQ(facts.kernel, "long");
}

TEST(MergeKernels, UnknownInOneIsUnknownInASum) {
  ProfileFacts a = counted(), b = counted();
  a.seconds = 3e-6;
  b.seconds = 1e-6;
  a.dram_bytes = 100;
  a.l2_hit = 0.4;
  b.l1_hit = 0.9;
  const ProfileFacts both = merge_kernels({a, b});
  EXPECT_FALSE(both.dram_bytes);
  EXPECT_DOUBLE_EQ(*both.l2_hit, 0.4);  // known for most of the time
  EXPECT_FALSE(both.l1_hit);            // known for little of it
}

TEST(MergeKernels, RatiosComeFromTheSums) {
  ProfileFacts a = counted(), b = counted();
  a.load_requests = 100, a.load_sectors = 400;
  b.load_requests = 300, b.load_sectors = 9600;
  EXPECT_DOUBLE_EQ(*merge_kernels({a, b}).sectors_per_load, 25);
  EXPECT_EQ(merge_kernels({}).source, ProfileSource::none);
}

TEST(RocmFacts, OfRocprof) {
  const auto rows = read_rocprof_csv(profile_data("rocprof-v1.csv"));
  ASSERT_TRUE(rows);
  const ProfileFacts facts = facts_from_rocm(*rows, "rocprof", 60);
  EXPECT_EQ(facts.tool, "rocprof");
  EXPECT_EQ(facts.kernel, "norm(int, float const*, double*)");
  EXPECT_DOUBLE_EQ(*facts.seconds, 80e-6);
  EXPECT_DOUBLE_EQ(*facts.dram_bytes, 1024.0 * (8192 + 4096 + 4096 + 16));
  EXPECT_NEAR(*facts.pipe_valu, (0.125 * 20 + 0.4 * 60) / 80, 1e-12);
  EXPECT_NEAR(*facts.lanes_active, (1.0 * 20 + 0.7 * 60) / 80, 1e-12);
  EXPECT_NEAR(*facts.memory_stalled, (0.4 * 20 + 0.1 * 60) / 80, 1e-12);
  EXPECT_NEAR(*facts.bank_conflict_share, 0.12 * 60 / 80, 1e-12);
  EXPECT_DOUBLE_EQ(*facts.blocks, 4096);
  EXPECT_FALSE(facts.waves);
  EXPECT_FALSE(facts.issue);
}

TEST(RocmFacts, OfRawCounters) {
  std::vector<KernelRows> passes;
  for (const char* name : {"hipprof-pmc.csv", "hipprof-pmc-read.csv", "hipprof-pmc-write.csv"})
    passes.push_back(read_hipprof_csv(profile_data(name)).value_or(KernelRows{}));
  const ProfileFacts facts = facts_from_rocm(join_passes(passes).value_or(KernelRows{}), "hipprof", 80);
  EXPECT_DOUBLE_EQ(*facts.l2_hit, 0.8);
  EXPECT_DOUBLE_EQ(*facts.dram_bytes, 200 * 32 + 1800 * 64 + 900 * 64 + 100 * 32);
  EXPECT_DOUBLE_EQ(*facts.pipe_valu, 1000000.0 / (25000.0 * 80));
  EXPECT_DOUBLE_EQ(*facts.bank_conflict_share, 200000.0 / (25000.0 * 80));
  EXPECT_DOUBLE_EQ(*facts.blocks, 80);
  EXPECT_FALSE(facts.waves);  // a block for each unit, and how many fit is unknown
  EXPECT_FALSE(facts.pipe_salu);
}

TEST(RocmFacts, FewerBlocksThanUnitsAreLessThanAWave) {
  const auto rows = read_rocprofv3_csv(profile_data("rocprofv3-counter-collection.csv"));
  ASSERT_TRUE(rows);
  EXPECT_DOUBLE_EQ(*facts_from_rocm(rows_of_call(*rows, 1, 1), "rocprofv3", 8).waves, 0.25);
  EXPECT_FALSE(facts_from_rocm(*rows, "rocprofv3", 0).waves);
}

TEST(CompilerFacts, TakeTheMostDemandingKernel) {
  const ProfileFacts facts = facts_from_compiler({{"a", 32, 0, 256, {}, 1}, {"b", 128, {}, 0, 1024, 0.25}});
  EXPECT_EQ(facts.source, ProfileSource::compiler);
  EXPECT_EQ(facts.kernel, "b");
  EXPECT_DOUBLE_EQ(*facts.registers, 128);
  EXPECT_DOUBLE_EQ(*facts.spill_bytes, 0);
  EXPECT_DOUBLE_EQ(*facts.stack_bytes, 256);
  EXPECT_DOUBLE_EQ(*facts.occupancy_limit, 0.25);
  EXPECT_EQ(facts_from_compiler({}).source, ProfileSource::none);
  EXPECT_EQ(facts_from_compiler({{"a", {}, {}, {}, {}, {}}}).source, ProfileSource::none);
}

TEST(BestFacts, FallDownTheLadder) {
  const std::vector<CompiledKernel> kernels = {{"a", 40, 64, 64, 0, 0.5}};
  const TaskModel task{1e6, 2e6, 1e-3};
  const ProfileFacts all = best_facts(facts_from_ncu(recorded_rows()), kernels, task);
  EXPECT_EQ(all.source, ProfileSource::counters);
  EXPECT_DOUBLE_EQ(*all.registers, 16);    // counted
  EXPECT_DOUBLE_EQ(*all.spill_bytes, 64);  // only the compiler knows
  const ProfileFacts compiled = best_facts({}, kernels, task);
  EXPECT_EQ(compiled.source, ProfileSource::compiler);
  EXPECT_DOUBLE_EQ(*compiled.dram_rate, 1e9);
  EXPECT_LT(compiled.confidence, all.confidence);
  const ProfileFacts modelled = best_facts({}, {}, task);
  EXPECT_EQ(modelled.source, ProfileSource::model);
  EXPECT_LT(modelled.confidence, compiled.confidence);
  EXPECT_FALSE(modelled.dram_bytes);  // nobody counted them
  EXPECT_EQ(best_facts({}, {}, {}).source, ProfileSource::none);
  EXPECT_EQ(facts_from_model({1e6, {}, 0}).source, ProfileSource::none);
}

TEST(FactFields, NameEveryFactOnce) {
  std::set<std::string> names;
  ProfileFacts facts;
  for (const FactField& field : fact_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(facts.*field.value) << field.name;  // no member twice
    facts.*field.value = 1;
  }
  struct NoFacts {
    ProfileSource source;
    double confidence;
    std::string tool, kernel;
    std::vector<std::string> doubts;
  };
  EXPECT_EQ(sizeof(ProfileFacts), sizeof(NoFacts) + names.size() * sizeof(Fact));  // and none is left out
}

}  // namespace
}  // namespace noctune
