#include "coordinator/patterns/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "coordinator/patterns/known.hpp"

namespace noctune {
namespace {

using namespace patterns_test;

const KernelFeatures kernel = {{"backend", "openmp"}, {"dtype", "f64"}, {"bottleneck", "memory"}};
const std::string platform = "openmp, CPU, g++";

std::vector<std::string> names(const std::vector<Offer>& offers) {
  std::vector<std::string> out;
  for (const Offer& offer : offers) out.push_back(offer.pattern.name);
  return out;
}

PatternEvidence elsewhere(PatternEvidence one) {
  one.platform = "openmp, Other CPU, g++";
  return one;
}

TEST(Ranking, EffectsAreShrunkTowardsNone) {
  EXPECT_EQ(effect_of({}).shrunk, 0);
  // One use of 0.5: 0.5 * 1 / (1 + 4) = 0.1.
  EXPECT_DOUBLE_EQ(effect_of({use("p", "a", 0.5, true)}).shrunk, 0.1);
  // 0.6, 0.3, a failure: mean 0.3, 0.3 * 3 / 7.
  PatternEvidence failed = use("p", "c", 0, false);
  failed.verdict = "wrong_result";
  const Effect effect = effect_of({use("p", "a", 0.6, true), use("p", "b", 0.3, true), failed});
  EXPECT_DOUBLE_EQ(effect.mean, 0.3);
  EXPECT_DOUBLE_EQ(effect.shrunk, 0.9 / 7);
  EXPECT_EQ(effect.uses, 3);
  EXPECT_EQ(effect.gains, 2);
}

TEST(Ranking, AdmittedFirstThenByEffectHereThenElsewhereThenByName) {
  const std::vector<KnownPattern> patterns = {
      known(pattern("draft"), {use("draft", "a", 5, true)}),
      // Here: 4 * 0.1 / 8 = 0.05.
      known(pattern("here"), uses("here", "a", 4, 0.1, true), PatternStatus::admitted),
      // Here nothing, elsewhere 0.5 / 5 = 0.1.
      known(pattern("there"), {elsewhere(use("there", "a", 0.5, true))}, PatternStatus::admitted),
      known(pattern("b-none"), {}, PatternStatus::admitted),
      known(pattern("a-none"), {}, PatternStatus::admitted),
      // Here: -0.1 / 5 = -0.02.
      known(pattern("worse"), {use("worse", "a", -0.1, false)}, PatternStatus::admitted),
      known(pattern("gone"), {use("gone", "a", 9, true)}, PatternStatus::retired)};
  const auto offers = offered(patterns, kernel, platform, {}, 10);
  EXPECT_EQ(names(offers), (std::vector<std::string>{"here", "there", "a-none", "b-none", "worse", "draft"}));
  EXPECT_DOUBLE_EQ(offers[0].here.shrunk, 0.05);
  EXPECT_DOUBLE_EQ(offers[1].elsewhere.shrunk, 0.1);
  EXPECT_DOUBLE_EQ(believed_effect(offers[1]), 0.1);
}

TEST(Ranking, ADifferenceBelowOnePercentHereGivesWayToEvidenceFromElsewhere) {
  // Here 0.02 / 5 = 0.004 against nothing: both are 0.00.
  const std::vector<KnownPattern> patterns = {
      known(pattern("noise"), {use("noise", "a", 0.02, false)}, PatternStatus::admitted),
      known(pattern("strong"), {elsewhere(use("strong", "a", 0.5, true))}, PatternStatus::admitted)};
  EXPECT_EQ(names(offered(patterns, kernel, platform, {})), (std::vector<std::string>{"strong", "noise"}));
}

TEST(Ranking, AnotherClassOnTheSamePlatformIsElsewhere) {
  PatternEvidence compute = use("p", "a", 0.5, true);
  compute.features["bottleneck"] = "compute";
  const auto offers = offered({known(pattern("p"), {compute})}, kernel, platform, {});
  ASSERT_EQ(offers.size(), 1U);
  EXPECT_EQ(offers[0].here.uses, 0);
  EXPECT_EQ(offers[0].elsewhere.uses, 1);
}

TEST(Ranking, OnlyWhatAppliesAndIsNotUsedYetAtMostFive) {
  std::vector<KnownPattern> patterns = {known(pattern("deep", {{"loop_depth", ">=2"}}), {})};
  for (int i = 0; i < 7; ++i) patterns.push_back(known(pattern("p" + std::to_string(i)), {}));
  EXPECT_EQ(names(offered(patterns, kernel, platform, {"p1"})),
            (std::vector<std::string>{"p0", "p2", "p3", "p4", "p5"}));
  std::reverse(patterns.begin(), patterns.end());
  EXPECT_EQ(names(offered(patterns, kernel, platform, {"p1"})),
            (std::vector<std::string>{"p0", "p2", "p3", "p4", "p5"}));
}

}  // namespace
}  // namespace noctune
