#include "coordinator/patterns/conditions.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(Conditions, ValuesAlternativesBoundsAndNegations) {
  EXPECT_TRUE(holds("f64", "f64"));
  EXPECT_FALSE(holds("f64", "f32"));
  EXPECT_TRUE(holds("f32|f64", "f64"));
  EXPECT_FALSE(holds("f32|f64", "i32"));
  EXPECT_TRUE(holds(">=3", "3"));
  EXPECT_FALSE(holds(">=3", "2.9"));
  EXPECT_TRUE(holds("<=2", "2"));
  EXPECT_FALSE(holds("<=2", "10"));  // as numbers, not as words
  EXPECT_TRUE(holds("!latency", "memory"));
  EXPECT_FALSE(holds("!latency", "latency"));
  EXPECT_TRUE(holds("1|>=3", "4"));
  EXPECT_FALSE(holds("1|>=3", "2"));
}

TEST(Conditions, WhatIsUnknownSatisfiesOnlyAny) {
  for (const char* condition : {"f64", "!f64", ">=0", "<=9", "unknown", "!unknown"})
    EXPECT_FALSE(holds(condition, "unknown")) << condition;
  EXPECT_FALSE(holds("!f64", ""));
  EXPECT_TRUE(holds("any", "unknown"));
  EXPECT_TRUE(holds("any", ""));
}

TEST(Conditions, AMalformedOneHoldsNowhere) {
  for (const char* condition : {"", "|", ">=", ">=x", "<=1e999", "!", ">=2x"})
    EXPECT_FALSE(holds(condition, "2")) << condition;
}

TEST(Conditions, EveryEntryMustHoldAndMissingFeaturesDoNot) {
  Pattern pattern;
  EXPECT_TRUE(applies(pattern, {}));
  pattern.when = {{"backend", "openmp"}, {"loop_depth", ">=2"}};
  EXPECT_TRUE(applies(pattern, {{"backend", "openmp"}, {"loop_depth", "3"}}));
  EXPECT_FALSE(applies(pattern, {{"backend", "openmp"}, {"loop_depth", "1"}}));
  EXPECT_FALSE(applies(pattern, {{"backend", "openmp"}}));
  EXPECT_EQ(unmet(pattern, {{"backend", "cuda"}, {"loop_depth", "1"}}),
            (std::vector<std::string>{"backend is cuda, not openmp", "loop_depth is 1, not >=2"}));
}

std::string problem(const std::string& feature, const std::string& condition) {
  const auto checked = check_condition(feature, condition);
  return checked ? "" : checked.error().text();
}

TEST(Conditions, MistakesAreNamed) {
  EXPECT_EQ(problem("loop_depth", ">=2"), "");
  EXPECT_EQ(problem("loop_depth", "2|3"), "");
  EXPECT_EQ(problem("dtype", "!f32"), "");
  EXPECT_EQ(problem("dtype", "any"), "");
  EXPECT_NE(problem("loopdepth", "2").find("did you mean \"loop_depth\""), std::string::npos);
  EXPECT_NE(problem("weather", "wet").find("features are backend"), std::string::npos);
  EXPECT_NE(problem("bottleneck", "memori").find("memory, compute, latency"), std::string::npos);
  EXPECT_NE(problem("bottleneck", ">=2").find("no number"), std::string::npos);
  EXPECT_NE(problem("loop_depth", ">=deep").find("has no number"), std::string::npos);
  EXPECT_NE(problem("loop_depth", "2|").find("a term is empty"), std::string::npos);
  EXPECT_NE(problem("loop_depth", "").find("a term is empty"), std::string::npos);
  EXPECT_NE(problem("dtype", "f64|any").find("stands alone"), std::string::npos);
}

}  // namespace
}  // namespace noctune
