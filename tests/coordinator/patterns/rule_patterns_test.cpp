#include "coordinator/patterns/rule_patterns.hpp"

#include <gtest/gtest.h>

#include "coordinator/patterns/conditions.hpp"
#include "coordinator/patterns/credit.hpp"
#include "coordinator/patterns/known.hpp"
#include "coordinator/rules/rules.hpp"

namespace noctune {
namespace {

using namespace patterns_test;

PatternEvidence under(const std::string& name, bool gain, const std::string& dtype,
                      const std::string& working_set, int number) {
  PatternEvidence out = use(name, "h" + std::to_string(number), gain ? 0.5 : 0, gain);
  out.features["dtype"] = dtype;
  out.features["working_set"] = working_set;
  return out;
}

TEST(RulePatterns, EveryRuleHasOneThatCanBeChecked) {
  ASSERT_EQ(rule_patterns().size(), rules::catalogue().size());
  for (std::size_t i = 0; i < rule_patterns().size(); ++i) {
    const Pattern& one = rule_patterns()[i];
    EXPECT_EQ(one.name, pattern_name_of(rules::catalogue()[i].strategy));
    EXPECT_EQ(one.category, rules::catalogue()[i].kind);
    EXPECT_TRUE(check_conditions(one)) << one.name;
    const std::string& backend = one.when.at("backend");
    EXPECT_TRUE(backend == "openmp" || backend == "cuda|hip") << one.name;
    EXPECT_FALSE(one.pitfalls.empty()) << one.name << " has no text of its own";
    EXPECT_LE(one.what.size(), 1024U);
    EXPECT_LE(one.pitfalls.size(), 512U);
  }
}

TEST(RulePatterns, ConditionsFollowWhereItGainedAndWhereNot) {
  const Pattern tiling = pattern("tiling", {{"backend", "openmp"}});
  std::vector<PatternEvidence> evidence = {under("tiling", true, "f64", "memory", 1),
                                           under("tiling", false, "f64", "l2", 2)};
  EXPECT_EQ(narrowed(tiling, evidence).when, tiling.when);  // one of each is not enough
  evidence.push_back(under("tiling", true, "f32", "memory", 3));
  evidence.push_back(under("tiling", false, "f64", "l1", 4));
  const Pattern learnt = narrowed(tiling, evidence);
  EXPECT_EQ(learnt.when.at("dtype"), "f32|f64");
  EXPECT_EQ(learnt.when.at("working_set"), "memory");
  EXPECT_EQ(learnt.when.count("bottleneck"), 0U);  // memory under both
  EXPECT_EQ(learnt.revision, 4);
  EXPECT_TRUE(check_conditions(learnt));
  evidence.push_back(under("tiling", true, "f64", "l2", 5));
  EXPECT_EQ(narrowed(tiling, evidence).when.count("working_set"), 0U);  // l2 under both now
}

TEST(RulePatterns, UnknownFeaturesTeachNothing) {
  std::vector<PatternEvidence> evidence;
  for (int i = 0; i < 3; ++i) evidence.push_back(under("tiling", true, "unknown", "memory", i));
  for (int i = 3; i < 6; ++i) evidence.push_back(under("tiling", false, "f64", "unknown", i));
  EXPECT_EQ(narrowed(pattern("tiling"), evidence).when, pattern("tiling").when);
}

TEST(RulePatterns, ALibraryGetsThemOnceAndThenWhatWasLearnt) {
  EXPECT_EQ(learnt_rule_patterns({}).size(), rule_patterns().size());
  std::vector<KnownPattern> all;
  for (const Pattern& one : rule_patterns()) all.push_back(known(one, {}));
  EXPECT_TRUE(learnt_rule_patterns(all).empty());
  for (KnownPattern& one : all)
    if (one.pattern.name == "cache-tiling")
      one.evidence = {under("cache-tiling", true, "f64", "memory", 1),
                      under("cache-tiling", true, "f64", "memory", 2)};
  const auto learnt = learnt_rule_patterns(all);
  ASSERT_EQ(learnt.size(), 1U);
  EXPECT_EQ(learnt[0].when.at("dtype"), "f64");
  EXPECT_EQ(learnt[0].revision, 2);
}

TEST(RulePatterns, PriorsAreTheBelievedEffectsByStrategy) {
  const KernelFeatures kernel = {
      {"backend", "openmp"}, {"dtype", "f64"}, {"bottleneck", "memory"}, {"loop_depth", "2"}};
  std::vector<KnownPattern> all;
  for (const Pattern& one : rule_patterns()) all.push_back(known(one, {}));
  EXPECT_TRUE(rule_priors(all, kernel, "p").empty());
  for (KnownPattern& one : all) {
    if (one.pattern.name == "cache-tiling") one.evidence = {use("cache-tiling", "a", 0.5, true)};
    if (one.pattern.name == "packed-register-tiles")  // needs three loops
      one.evidence = {use("packed-register-tiles", "a", 2, true)};
  }
  const auto priors = rule_priors(all, kernel, "openmp, CPU, g++");
  ASSERT_EQ(priors.size(), 1U);
  EXPECT_DOUBLE_EQ(priors.at("cache tiling"), 0.1);
}

}  // namespace
}  // namespace noctune
