#include "coordinator/patterns/credit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace noctune {
namespace {

using Strategies = std::vector<std::string>;

Attempt attempt(long long id, long long base, const Strategies& strategies, double speedup,
                Verdict verdict = Verdict::ok) {
  Attempt out;
  out.candidate.id = id;
  out.candidate.base = base;
  out.candidate.proposer = "rules";
  out.candidate.strategies = strategies;
  out.candidate.sha = "sha " + std::to_string(id);
  out.verdict = verdict;
  out.pending = false;
  out.speedup = verdict == Verdict::ok ? speedup : 0;
  out.smallest_gain = 0.02;
  return out;
}

Attempt by_model(long long id, long long base, const std::string& patterns, double speedup) {
  Attempt out = attempt(id, base, {"a hypothesis"}, speedup);
  out.candidate.proposer = "model";
  std::istringstream words(patterns);
  for (std::string word; std::getline(words, word, ',');) out.candidate.patterns.push_back(word);
  return out;
}

Attempt original() {
  Attempt out = attempt(1, 0, {}, 1);
  out.candidate.proposer = "original";
  return out;
}

CreditContext context() {
  CreditContext out;
  out.campaign = "night";
  out.hotspot = "gemm";
  out.platform = "openmp, CPU, g++";
  out.features = [](const Candidate& base) {
    return KernelFeatures{{"loop_depth", std::to_string(base.id)}};
  };
  return out;
}

TEST(Credit, OneStrategyAgainstItsBaseIsEvidence) {
  const auto evidence = evidence_from({original(), attempt(2, 1, {"parallel loops"}, 2),
                                       attempt(3, 2, {"cache tiling", "parallel loops"}, 0.8)},
                                      context());
  ASSERT_EQ(evidence.size(), 2U);
  EXPECT_EQ(evidence[0].pattern, "parallel-loops");
  EXPECT_DOUBLE_EQ(evidence[0].log_ratio, std::log(2.0));
  EXPECT_TRUE(evidence[0].gain);
  EXPECT_EQ(evidence[0].candidate, "sha 2");
  EXPECT_EQ(evidence[0].base, "sha 1");
  EXPECT_EQ(evidence[0].campaign, "night");
  EXPECT_EQ(evidence[0].hotspot, "gemm");
  EXPECT_EQ(evidence[0].platform, "openmp, CPU, g++");
  EXPECT_EQ(evidence[1].pattern, "cache-tiling");
  EXPECT_DOUBLE_EQ(evidence[1].log_ratio, std::log(0.8));
  EXPECT_FALSE(evidence[1].gain);
  EXPECT_EQ(evidence[1].features.at("loop_depth"), "2");  // of the version that was changed
}

TEST(Credit, AGainMustExceedTheNoise) {
  const auto evidence = evidence_from(
      {original(), attempt(2, 1, {"parallel loops"}, 1.015), attempt(3, 1, {"loop fusion"}, 1.03)},
      context());
  ASSERT_EQ(evidence.size(), 2U);
  EXPECT_FALSE(evidence[0].gain);  // saves 1.5 %, 2 % are needed
  EXPECT_TRUE(evidence[1].gain);   // saves 2.9 %
}

TEST(Credit, SeveralChangesAreNobodysEvidence) {
  EXPECT_TRUE(evidence_from({original(), attempt(2, 1, {"parallel loops", "vectorised loops"}, 4)}, context())
                  .empty());
  // One more, but another one less.
  EXPECT_TRUE(evidence_from({original(), attempt(2, 1, {"loop fusion", "parallel loops"}, 2),
                             attempt(3, 2, {"loop fusion", "vectorised loops"}, 2)},
                            context())
                  .empty());
  // The same strategies in another version.
  EXPECT_TRUE(evidence_from({original(), attempt(2, 1, {"loop fusion", "parallel loops"}, 2),
                             attempt(4, 2, {"loop fusion", "parallel loops"}, 2)},
                            context())
                  .empty());
}

TEST(Credit, AnotherStepsParameterIsAnotherChange) {
  Attempt base = attempt(2, 1, {"cache tiling", "loop fusion"}, 2), next = base;
  base.candidate.params = {{"recipe", "fuse;tile(size=64)"}, {"tile.size", "64"}};
  next.candidate.id = 3;
  next.candidate.base = 2;
  next.candidate.strategies.push_back("parallel loops");
  next.candidate.params = {{"recipe", "other"}, {"tile.size", "64"}, {"parallel.schedule", "static"}};
  EXPECT_EQ(pattern_change(next.candidate, base.candidate)->pattern, "parallel-loops");
  next.candidate.params["tile.size"] = "32";
  EXPECT_FALSE(pattern_change(next.candidate, base.candidate));
}

TEST(Credit, AStrategyUsedOnceMoreIsOneChange) {
  Candidate base, next;
  base.proposer = next.proposer = "rules";
  base.strategies = {"hoist invariant loads"};
  next.strategies = {"hoist invariant loads", "hoist invariant loads"};
  EXPECT_EQ(pattern_change(next, base)->pattern, "hoist-invariant-loads");
}

TEST(Credit, AStrategyLeftOutIsTheSameRaceReadBackwards) {
  const auto evidence = evidence_from(
      {original(), attempt(2, 1, {"loop fusion", "parallel loops"}, 2), attempt(3, 2, {"loop fusion"}, 0.5),
       attempt(4, 2, {"parallel loops"}, 1.1), attempt(5, 2, {"parallel loops"}, 0, Verdict::build_failed)},
      context());
  ASSERT_EQ(evidence.size(), 2U);  // a failure without it says nothing of it
  EXPECT_EQ(evidence[0].pattern, "parallel-loops");
  EXPECT_DOUBLE_EQ(evidence[0].log_ratio, std::log(2.0));
  EXPECT_TRUE(evidence[0].gain);
  EXPECT_EQ(evidence[0].candidate, "sha 2");  // the version with the pattern
  EXPECT_EQ(evidence[0].base, "sha 3");
  EXPECT_EQ(evidence[0].features.at("loop_depth"), "3");
  EXPECT_EQ(evidence[1].pattern, "loop-fusion");
  EXPECT_DOUBLE_EQ(evidence[1].log_ratio, -std::log(1.1));
  EXPECT_FALSE(evidence[1].gain);
}

TEST(Credit, FailuresCountAsNoEffect) {
  const auto evidence =
      evidence_from({original(), attempt(2, 1, {"parallel loops"}, 0, Verdict::wrong_result),
                     attempt(3, 1, {"loop fusion"}, 0, Verdict::build_failed)},
                    context());
  ASSERT_EQ(evidence.size(), 2U);
  EXPECT_EQ(evidence[0].verdict, "wrong_result");
  EXPECT_EQ(evidence[0].log_ratio, 0);
  EXPECT_FALSE(evidence[0].gain);
  EXPECT_EQ(evidence[1].verdict, "build_failed");
}

TEST(Credit, WhatWasNotJudgedSaysNothing) {
  Attempt pending = attempt(2, 1, {"parallel loops"}, 2);
  pending.pending = true;
  EXPECT_TRUE(evidence_from({original(), pending, attempt(3, 1, {"loop fusion"}, 0, Verdict::lost),
                             attempt(4, 1, {"loop fusion"}, 0, Verdict::duplicate),
                             attempt(5, 99, {"loop fusion"}, 2)},  // its base is nowhere
                            context())
                  .empty());
}

TEST(Credit, AModelsVersionSpeaksForTheOnePatternItNamed) {
  const auto evidence = evidence_from({original(), by_model(2, 1, "row-blocking", 1.5), by_model(3, 1, "", 2),
                                       by_model(4, 1, "row-blocking,prefetch-ahead", 3)},
                                      context());
  ASSERT_EQ(evidence.size(), 1U);
  EXPECT_EQ(evidence[0].pattern, "row-blocking");
  EXPECT_DOUBLE_EQ(evidence[0].log_ratio, std::log(1.5));
}

TEST(Credit, PatternsInAVersionAreNotOfferedAgain) {
  Candidate candidate;
  candidate.strategies = {"cache tiling"};
  candidate.patterns = {"a", "b"};
  EXPECT_EQ(patterns_used(candidate), (std::set<std::string>{"a", "b", "cache-tiling"}));
}

TEST(Credit, NamesOfPatternsAreLettersDigitsAndHyphens) {
  EXPECT_EQ(pattern_name_of("one team of threads over all loops"), "one-team-of-threads-over-all-loops");
  EXPECT_EQ(pattern_name_of("  A/B  (c) "), "a-b-c");
  EXPECT_EQ(pattern_name_of("\xc3\xa9!"), "");
}

}  // namespace
}  // namespace noctune
