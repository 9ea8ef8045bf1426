#include "integration/comparison.hpp"

#include <gmock/gmock.h>

#include "integration/proof.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

TEST(Comparison, ASpeedUpFollowsTheDirectionOfTheMetric) {
  const std::vector<MeritPair> seconds = {{2.0, 1.0}, {2.1, 1.0}, {1.9, 1.0}};
  const Confirmation lower = integrated_gain(seconds, false);
  EXPECT_NEAR(lower.speedup, 2.0, 0.01);
  EXPECT_GT(lower.low, 1.5);
  EXPECT_LT(lower.p_value, 0.01);
  EXPECT_NEAR(integrated_gain(seconds, true).speedup, 0.5, 0.01);
  EXPECT_FALSE(integrated_gain({{2.0, 1.0}}, false).complete());
}

TEST(Comparison, TheCeilingIsAmdahls) {
  EXPECT_DOUBLE_EQ(amdahl_ceiling(0.5, 2), 1 / 0.75);
  EXPECT_DOUBLE_EQ(amdahl_ceiling(1, 3), 3);
  EXPECT_EQ(amdahl_ceiling(0, 3), 0);
  const Confirmation gain = integrated_gain({{3.0, 1.0}, {3.1, 1.0}, {3.0, 1.0}}, false);
  EXPECT_THAT(disbelief(gain, amdahl_ceiling(0.5, 4), 0.5), HasSubstr("allows 1.60x at most"));
  EXPECT_EQ(disbelief(gain, amdahl_ceiling(0.95, 4), 0.95), "");
  EXPECT_EQ(disbelief(gain, 0, 0), "");
}

StepOutcome step(StepVerdict verdict, double metric = 1) {
  StepOutcome out;
  out.verdict = verdict;
  out.metric = metric;
  if (verdict != StepVerdict::ok) out.reason = "went wrong";
  return out;
}

TEST(Proof, UseFollowsFromWhatABuildThatDoesNothingChanges) {
  UseEvidence evidence;
  evidence.patched = step(StepVerdict::ok, 2);
  EXPECT_EQ(judge_use(evidence).used, Used::no);
  evidence.build_differs = true;
  evidence.idle_run = step(StepVerdict::not_verified);
  EXPECT_EQ(judge_use(evidence).used, Used::yes);
  evidence.idle_run = step(StepVerdict::run_timeout);
  EXPECT_EQ(judge_use(evidence).used, Used::yes);
  evidence.idle_run = step(StepVerdict::ok, 2.1);
  EXPECT_EQ(judge_use(evidence).used, Used::cannot_tell);
  evidence.idle_run = step(StepVerdict::ok, 9);
  EXPECT_EQ(judge_use(evidence).used, Used::yes);
  evidence.idle_run = step(StepVerdict::lost);
  EXPECT_EQ(judge_use(evidence).used, Used::cannot_tell);
  evidence.idle_build = step(StepVerdict::build_failed);
  EXPECT_EQ(judge_use(evidence).used, Used::cannot_tell);
}

}  // namespace
}  // namespace noctune
