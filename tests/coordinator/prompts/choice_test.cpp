#include "coordinator/prompts/choice.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Hypothesis idea(const std::string& name, const std::string& mechanism, bool patterned = true) {
  Hypothesis out;
  out.name = name;
  out.mechanism = mechanism;
  if (patterned) out.patterns = {"1"};
  return out;
}

Attempt won(const std::string& name) {
  Attempt out;
  out.pending = false;
  out.verdict = Verdict::ok;
  out.speedup = 1.5;
  out.smallest_gain = 0.01;
  out.candidate.strategies = {name};
  return out;
}

std::string names(const std::vector<Hypothesis>& chosen) {
  std::string out;
  for (const Hypothesis& one : chosen) out += (out.empty() ? "" : " ") + one.name;
  return out;
}

TEST(Choose, TakesDifferentMechanismsInThePlansOrder) {
  const std::vector<Hypothesis> plan = {idea("a", "tiling"), idea("b", "tiling"), idea("c", "algorithm"),
                                        idea("d", "compiler")};
  EXPECT_EQ(names(choose(plan, 3, {}, 0)), "a c d");
  EXPECT_EQ(names(choose(plan, 9, {}, 0)), "a c d b");
  EXPECT_EQ(names(choose(plan, 0, {}, 0)), "");
  EXPECT_EQ(names(choose({}, 3, {}, 0)), "");
}

TEST(Choose, GrantsARadicalOneAndAnIdeaOfItsOwn) {
  std::vector<Hypothesis> plan = {idea("a", "tiling"), idea("b", "algorithm"), idea("c", "compiler"),
                                  idea("own", "tiling", false), idea("radical", "algorithm")};
  plan.back().radical = true;
  EXPECT_EQ(names(choose(plan, 3, {}, 0)), "radical own c");
}

TEST(Choose, CombinesOnlyOnceThereAreTwoWins) {
  std::vector<Hypothesis> plan = {idea("a", "tiling", false), idea("both", "tiling", false)};
  plan.back().combines = true;
  EXPECT_EQ(names(choose(plan, 1, {won("x")}, 0)), "a");
  std::string over_rounds;
  for (int round = 0; round < 3; ++round)
    over_rounds += names(choose(plan, 1, {won("x"), won("y")}, round)) + ";";
  EXPECT_EQ(over_rounds, "both;both;a;");
  EXPECT_EQ(names(choose(plan, 2, {won("x"), won("y")}, 0)), "both a");
}

TEST(Choose, WhatWasTriedComesLast) {
  const std::vector<Hypothesis> plan = {idea("Block rows", "tiling", false), idea("c", "tiling", false)};
  EXPECT_EQ(names(choose(plan, 1, {won("block-rows")}, 0)), "c");
  EXPECT_EQ(names(choose(plan, 2, {won("block-rows")}, 0)), "c Block rows");
}

}  // namespace
}  // namespace noctune
