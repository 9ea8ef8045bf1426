#include "coordinator/fair_queue.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

using Queue = FairQueue<int>;

std::optional<int> anybody(const std::string&, const int&) {
  return 0;
}

TEST(FairQueue, ServesEqualLinesInTurn) {
  Queue queue;
  for (int i = 0; i < 3; ++i) {
    queue.push("a", i);
    queue.push("b", 10 + i);
  }
  std::vector<int> order;
  while (const auto call = queue.pop(anybody)) {
    order.push_back(*call);
    queue.charge(*call < 10 ? "a" : "b", 1);
  }
  EXPECT_EQ(order, (std::vector<int>{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(queue.size(), 0U);
}

TEST(FairQueue, WhoWasAwayGainsNoCredit) {
  Queue queue;
  for (int i = 0; i < 10; ++i) queue.push("busy", i);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(queue.pop(anybody), i);
    queue.charge("busy", 1);
  }
  for (int i = 100; i < 103; ++i) queue.push("late", i);
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    order.push_back(*queue.pop(anybody));
    queue.charge(order.back() < 100 ? "busy" : "late", 1);
  }
  EXPECT_EQ(order, (std::vector<int>{100, 5, 101, 6}));
}

TEST(FairQueue, AClassGoesBeforeTheTurn) {
  Queue queue;
  queue.push("a", 1);
  queue.push("b", 2);
  queue.charge("b", 100);
  EXPECT_EQ(queue.pop([](const std::string& line, int) { return line == "b" ? 0 : 1; }), 2);
}

TEST(FairQueue, WhatMayNotGoStays) {
  Queue queue;
  queue.push("a", 1);
  EXPECT_EQ(queue.pop([](const std::string&, int) { return std::optional<int>(); }), std::nullopt);
  queue.push_front("a", 0);
  EXPECT_EQ(queue.take_all(), (std::vector<int>{0, 1}));
  EXPECT_EQ(queue.size(), 0U);
  EXPECT_EQ(queue.pop(anybody), std::nullopt);
}

TEST(FairQueue, WeightsAreShares) {
  Queue queue;
  queue.weigh("heavy", 3);
  for (int i = 0; i < 100; ++i) {
    queue.push("heavy", 1);
    queue.push("light", 0);
  }
  int heavy = 0;
  for (int i = 0; i < 40; ++i) {
    const int call = *queue.pop(anybody);
    heavy += call;
    queue.charge(call ? "heavy" : "light", 2);
  }
  EXPECT_EQ(heavy, 30);
}

}  // namespace
}  // namespace noctune
