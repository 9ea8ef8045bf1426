#include "app/rank_layout.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

std::vector<RankIntroduction> ranks(const std::vector<std::string>& hosts) {
  std::vector<RankIntroduction> out;
  for (const std::string& host : hosts) out.push_back({static_cast<int>(out.size()), host, {0, 1}});
  return out;
}

TEST(EvaluatorRanks, AloneRankZeroDoesBoth) {
  EXPECT_EQ(evaluator_ranks(ranks({"a"})), (std::vector<int>{0}));
}

TEST(EvaluatorRanks, WithCompanyOnItsNodeRankZeroOnlyCoordinates) {
  EXPECT_EQ(evaluator_ranks(ranks({"a", "a", "a"})), (std::vector<int>{1, 2}));
  EXPECT_EQ(evaluator_ranks(ranks({"a", "b", "a", "b"})), (std::vector<int>{1, 2, 3}));
}

TEST(EvaluatorRanks, RankZeroServesWhereItsNodeWouldStandIdle) {
  EXPECT_EQ(evaluator_ranks(ranks({"a", "b", "b"})), (std::vector<int>{0, 1, 2}));
}

TEST(RankLayout, OfASingleProcessNeedsNoMpi) {
  const RankLayout layout = lay_out_alone();
  EXPECT_EQ(layout.evaluators, 1);
  EXPECT_TRUE(layout.evaluates);
  EXPECT_FALSE(layout.placement.measured_cpus.empty());
  const DeviceFacts facts = device_facts(layout);
  EXPECT_EQ(facts.rank, 0);
  EXPECT_FALSE(facts.host.empty());
  EXPECT_GE(facts.vector_bytes, 16);
}

}  // namespace
}  // namespace noctune
