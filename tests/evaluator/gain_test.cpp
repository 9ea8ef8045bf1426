#include "evaluator/gain.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace noctune {
namespace {

Evaluation pair_of(double speedup) {
  Evaluation out;
  out.verdict = Verdict::ok;
  out.speedup = speedup;
  TimingSummary timing;
  timing.trimmed_mean = 1e-3;
  timing.reference_trimmed_mean = 1e-3 * speedup;
  out.timings.push_back(timing);
  return out;
}

Evaluation failed_pair(Verdict verdict) {
  Evaluation out;
  out.verdict = verdict;
  return out;
}

TEST(SmallestGain, IsTheSettingOrThreeSpreads) {
  SearchSettings search;
  search.min_gain = 0.01;
  EXPECT_DOUBLE_EQ(smallest_gain(search, 0.001), 0.01);
  EXPECT_DOUBLE_EQ(smallest_gain(search, 0.02), 0.06);
  EXPECT_DOUBLE_EQ(time_saved(2), 0.5);
  EXPECT_LT(time_saved(0.9), 0);
}

TEST(Confirmation, IsAGeometricMeanWithAnInterval) {
  const Confirmation out = confirmation_of({pair_of(1.9), pair_of(2.0), pair_of(2.1)});
  ASSERT_TRUE(out.complete());
  EXPECT_NEAR(out.speedup, std::cbrt(1.9 * 2.0 * 2.1), 1e-12);
  EXPECT_LT(out.low, out.speedup);
  EXPECT_GT(out.high, out.speedup);
  EXPECT_LT(out.p_value, 0.01);
  EXPECT_NEAR(out.seconds, 1e-3, 1e-12);
  EXPECT_NEAR(out.baseline_seconds, 2e-3, 1e-12);
}

TEST(Confirmation, LostPairsAreLeftOutButTwoMustRemain) {
  const Evaluation lost = failed_pair(Verdict::lost);
  EXPECT_TRUE(confirmation_of({pair_of(2), lost, pair_of(2)}).complete());
  EXPECT_FALSE(confirmation_of({pair_of(2), lost, lost}).complete());
}

TEST(Confirmation, OneWrongResultDisqualifies) {
  const Confirmation out =
      confirmation_of({pair_of(2), pair_of(2), failed_pair(Verdict::wrong_result), pair_of(2)});
  EXPECT_FALSE(out.complete());
  EXPECT_EQ(out.refused, 2U);
}

TEST(JudgeGain, NeedsSignificanceAndAnIntervalOnOneSide) {
  const Confirmation gain = confirmation_of({pair_of(1.5), pair_of(1.51), pair_of(1.49)});
  EXPECT_EQ(judge_gain(gain, gain.p_value, 0.01), GainVerdict::faster);
  EXPECT_EQ(judge_gain(gain, 0.2, 0.01), GainVerdict::indistinguishable);
  const Confirmation loss = confirmation_of({pair_of(0.7), pair_of(0.71), pair_of(0.69)});
  EXPECT_EQ(judge_gain(loss, loss.p_value, 0.01), GainVerdict::slower);
  const Confirmation noise = confirmation_of({pair_of(1.1), pair_of(0.9), pair_of(1.05)});
  EXPECT_EQ(judge_gain(noise, noise.p_value, 0.01), GainVerdict::indistinguishable);
}

TEST(JudgeGain, CallsNothingFasterThatIsBelowTheSmallestGain) {
  const Confirmation tiny = confirmation_of({pair_of(1.008), pair_of(1.0081), pair_of(1.0079)});
  EXPECT_LT(tiny.p_value, 0.01);
  EXPECT_EQ(judge_gain(tiny, tiny.p_value, 0.01), GainVerdict::indistinguishable);
  EXPECT_EQ(judge_gain(tiny, tiny.p_value, 0.005), GainVerdict::faster);
  const Confirmation loss = confirmation_of({pair_of(0.993), pair_of(0.9931), pair_of(0.9929)});
  EXPECT_EQ(judge_gain(loss, loss.p_value, 0.01), GainVerdict::indistinguishable);
}

TEST(HotspotPValue, PaysForEveryFinalistAndIgnoresLosses) {
  Confirmation fastest;
  fastest.speedup = 1.2;
  fastest.p_value = 0.01;
  EXPECT_DOUBLE_EQ(hotspot_p_value(fastest, 3), 0.03);
  fastest.p_value = 0.5;
  EXPECT_DOUBLE_EQ(hotspot_p_value(fastest, 3), 1);
  fastest.speedup = 0.8;
  fastest.p_value = 0.001;
  EXPECT_DOUBLE_EQ(hotspot_p_value(fastest, 1), 1);
}

}  // namespace
}  // namespace noctune
