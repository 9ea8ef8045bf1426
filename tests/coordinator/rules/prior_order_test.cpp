#include "coordinator/rules/prior_order.hpp"

#include "coordinator/rules/kernels.hpp"

namespace noctune::rules {
namespace {

using namespace rules_test;

const char* two_loops =
    "  for (int i = 0; i < n; ++i) {\n    double sum = 0.0;\n    for (int j = 0; j < n; ++j) {\n"
    "      sum += A[i * n + j] * x[j];\n    }\n    y[i] = sum;\n  }\n";

std::vector<std::string> recipes(const std::vector<RuleProposal>& proposals) {
  std::vector<std::string> out;
  for (const RuleProposal& proposal : proposals) out.push_back(proposal.recipe);
  return out;
}

TEST(PriorOrder, ScoredEntriesChangePlacesAndOthersStay) {
  const std::vector<std::string> list = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(in_order_of(list, {{}, {}, {}, {}, {}}), list);
  EXPECT_EQ(in_order_of(list, {0.1, {}, 0.5, {}, 0.1}), (std::vector<std::string>{"c", "b", "a", "d", "e"}));
  EXPECT_EQ(in_order_of(list, {-0.2, 0.0, {}, {}, {}}), (std::vector<std::string>{"b", "a", "c", "d", "e"}));
}

TEST(PriorOrder, AChangeIsScoredByWhatItAddsAndRemoves) {
  const Priors priors = {{"vectorised loops", 0.3}, {"unroll and jam", 0.1}};
  const Steps best = steps_of("jam(rows=4);parallel");
  EXPECT_EQ(score_of_change(best, steps_of("jam(rows=4);parallel;simd"), priors), 0.3);
  EXPECT_EQ(score_of_change(best, steps_of("parallel"), priors), -0.1);
  EXPECT_NEAR(*score_of_change(best, steps_of("parallel;simd"), priors), 0.2, 1e-12);
  EXPECT_FALSE(score_of_change(best, steps_of("jam(rows=8);parallel"), priors));
  EXPECT_FALSE(score_of_change(best, steps_of("jam(rows=4);parallel;hoist"), priors));
  EXPECT_EQ(score_of_any(best, {"jam", "simd"}, priors), 0.1);
  EXPECT_FALSE(score_of_any(best, {"parallel"}, priors));
}

TEST(PriorOrder, WithoutBeliefsNothingChanges) {
  const RuleBook book = read(square(two_loops));
  const std::vector<RuleOutcome> tried = {{"parallel", Verdict::ok, 2.0}};
  for (const std::string best : {"", "parallel"}) {
    const auto plain = recipes(book.propose(best, tried, 40));
    EXPECT_EQ(plain, recipes(book.propose(best, tried, 40, {})));
    EXPECT_EQ(plain, recipes(book.propose(best, tried, 40, {{"cache tiling of another kind", 3}})));
  }
}

TEST(PriorOrder, WhatWorkedElsewhereIsTriedFirst) {
  const RuleBook book = read(square(two_loops));
  const std::vector<RuleOutcome> tried = {{"parallel", Verdict::ok, 2.0}};
  const Priors priors = {{"vectorised loops", 0.5}, {"compiler flags", -0.1}, {"unroll and jam", 0.01}};
  const auto plain = recipes(book.propose("parallel", tried, 40)),
             ordered = recipes(book.propose("parallel", tried, 40, priors));
  const auto place = [](const std::vector<std::string>& list, const std::string& recipe) {
    return std::find(list.begin(), list.end(), recipe) - list.begin();
  };
  EXPECT_LT(place(ordered, "parallel;simd"), place(plain, "parallel;simd"));
  EXPECT_EQ(place(ordered, "parallel;simd"), 0);
  EXPECT_TRUE(std::is_permutation(plain.begin(), plain.end(), ordered.begin(), ordered.end()));
}

}  // namespace
}  // namespace noctune::rules
