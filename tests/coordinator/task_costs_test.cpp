#include "coordinator/task_costs.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(TaskCosts, KnowsNothingAtFirst) {
  EXPECT_EQ(TaskCosts().expected("gemm", "screen"), 0);
}

TEST(TaskCosts, FollowsTheLatest) {
  TaskCosts costs;
  costs.took("gemm", "screen", 10);
  EXPECT_EQ(costs.expected("gemm", "screen"), 10);
  for (int i = 0; i < 20; ++i) costs.took("gemm", "screen", 2);
  EXPECT_NEAR(costs.expected("gemm", "screen"), 2, 0.1);
}

TEST(TaskCosts, GuessesFromOtherHotspotsOfTheSameKind) {
  TaskCosts costs;
  costs.took("gemm", "screen", 10);
  EXPECT_EQ(costs.expected("atax", "screen"), 10);
  EXPECT_EQ(costs.expected("atax", "confirm"), 0);
  costs.took("atax", "screen", 1);
  EXPECT_EQ(costs.expected("atax", "screen"), 1);
}

}  // namespace
}  // namespace noctune
