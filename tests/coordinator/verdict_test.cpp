#include <gtest/gtest.h>

#include <cmath>

#include "coordinator/campaign_verdicts.hpp"

namespace noctune {
namespace {

ArmResult result_with(double speedup, double low) {
  ArmResult out;
  Finalist finalist;
  finalist.speedup = speedup;
  finalist.low = low;
  out.finalists.push_back(finalist);
  return out;
}

TEST(VerdictFor, OnlyASignificantGainIsFaster) {
  EXPECT_EQ(verdict_for(result_with(1.5, 1.4), 0.001, 0.01), HotspotVerdict::faster);
  EXPECT_EQ(verdict_for(result_with(1.5, 1.4), 0.2, 0.01), HotspotVerdict::indistinguishable);
  EXPECT_EQ(verdict_for(result_with(1.5, 0.9), 0.001, 0.01), HotspotVerdict::indistinguishable);
  EXPECT_EQ(verdict_for(result_with(0.7, 0.6), 0.001, 0.01), HotspotVerdict::indistinguishable);
}

TEST(VerdictFor, WithoutFinalists) {
  EXPECT_EQ(verdict_for(ArmResult{}, 1, 0.01), HotspotVerdict::indistinguishable);
}

Finalist finalist(double speedup, double p_value) {
  Finalist out;
  out.speedup = speedup;
  out.low = 0.9 * speedup;
  out.high = 1.1 * speedup;
  out.p_value = p_value;
  return out;
}

TEST(Concluded, TheFirstArmDecidesAndTheDirectOneIsNoted) {
  TuningResult result;
  result.mep.usable = true;
  result.original.id = 1;
  ArmResult loop, direct, again;
  loop.finalists = {finalist(3, 1e-6)};
  direct.arm = {"direct", 0};
  direct.finalists = {finalist(2, 1e-6)};
  again.arm = {"direct", 1};
  result.arms = {loop, direct, again};
  const auto rows = arm_rows({result}, {7}, 0.01);
  ASSERT_EQ(rows[0].size(), 3U);
  EXPECT_EQ(rows[0][2].verdict, HotspotVerdict::indistinguishable);
  EXPECT_EQ(rows[0][2].speedup, 1);
  EXPECT_EQ(rows[0][2].best_candidate, 1);
  const HotspotRow row = concluded(HotspotRow{}, result, rows[0]);
  EXPECT_EQ(row.verdict, HotspotVerdict::faster);
  EXPECT_EQ(row.standalone_speedup, 3);
  EXPECT_NEAR(row.direct_speedup, std::sqrt(2.0), 1e-12);
  EXPECT_EQ(concluded(HotspotRow{}, TuningResult{}, {}).verdict, HotspotVerdict::failed);
}

TEST(PendingRow, SaysWhatIsTuned) {
  PrepareTask task;
  task.mep.hotspot = "atax";
  task.mep.spec.entry = "atax_entry";
  for (const char* backend : {"openmp", "cuda", "hip"}) {
    task.platform.backend = backend;
    const HotspotRow row = pending_row(task, 0.25);
    EXPECT_EQ(row.name, "atax");
    EXPECT_EQ(row.backend, backend);
    EXPECT_EQ(row.entry, "atax_entry");
    EXPECT_EQ(row.share, 0.25);
    EXPECT_EQ(row.verdict, HotspotVerdict::pending);
  }
}

TEST(Concluded, EachArmIsAFamilyOfItsOwn) {
  std::vector<TuningResult> results(3);
  for (TuningResult& one : results) {
    ArmResult loop, rules;
    loop.finalists = {finalist(2, 0.02)};
    rules.arm.name = "rules";
    one.arms = {loop, rules};
  }
  results[0].arms[1].finalists = {finalist(2, 0.02)};
  const auto rows = arm_rows(results, {1, 2, 3}, 0.01);
  EXPECT_EQ(rows[0][0].verdict, HotspotVerdict::indistinguishable);  // 3 x 0.02 is above 0.05
  EXPECT_EQ(rows[0][1].verdict, rows[1][0].verdict);                 // the others of its family weigh as much
}

}  // namespace
}  // namespace noctune
