#include "llm/budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace noctune {
namespace {

using testing::HasSubstr;

TEST(BudgetTest, SettledPlusReservedNeverPassesACap) {
  BudgetSettings caps;
  caps.money = 0.1;
  caps.tokens = 5000;
  caps.requests = 60;
  Budget budget(caps);
  std::mt19937 random(7);
  std::vector<Spending> open;
  Spending spent;
  for (int i = 0; i < 5000; ++i) {
    const Spending worst{static_cast<long long>(random() % 9000), static_cast<long long>(random() % 400), 1};
    if (!budget.reserve("h" + std::to_string(i % 3), worst, 0)) open.push_back(worst);
    if (!open.empty() && random() % 3 == 0) {
      const Spending reserved = open.back();
      open.pop_back();
      const Spending real{static_cast<long long>(random() % (static_cast<unsigned>(reserved.micros) + 1)),
                          reserved.tokens / 2, 1};
      budget.settle("h", reserved, random() % 4 == 0 ? Spending{} : real);
    }
    const Spending all = budget.settled() + budget.reserved();
    EXPECT_LE(all.micros, 100000);
    EXPECT_LE(all.tokens, 5000);
    EXPECT_LE(all.requests, 60);
  }
  for (const Spending& one : open) spent += one;
  EXPECT_EQ(budget.reserved(), spent);  // exact, whatever the order
}

TEST(BudgetTest, ARefusalNamesTheCapAndWhatIsLeft) {
  BudgetSettings caps;
  caps.money = 1;
  Budget budget(caps, "EUR");
  EXPECT_FALSE(budget.reserve("gemm", {700000, 10, 1}, 0));
  const auto refused = budget.reserve("gemm", {400000, 10, 1}, 0);
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->message, HasSubstr("cap on money, 1.000000 EUR, leaves 0.300000 EUR"));
  EXPECT_THAT(refused->message, HasSubstr("may need 0.400000 EUR"));
  EXPECT_TRUE(refused->waiting_helps);
  budget.settle("gemm", {700000, 10, 1}, {650000, 9, 1});
  const auto still = budget.reserve("gemm", {400000, 10, 1}, 0);
  ASSERT_TRUE(still);
  EXPECT_FALSE(still->waiting_helps);
}

TEST(BudgetTest, AHotspotHasItsShareOfEachCap) {
  BudgetSettings caps;
  caps.requests = 10;
  caps.hotspot_share = 0.3;
  Budget budget(caps);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(budget.reserve("gemm", {0, 0, 1}, 0));
  const auto refused = budget.reserve("gemm", {0, 0, 1}, 0);
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->message, HasSubstr("requests for the hotspot gemm, 3, leaves 0"));
  EXPECT_FALSE(budget.reserve("mvt", {0, 0, 1}, 0));
}

TEST(BudgetTest, WallTimeEndsAsking) {
  BudgetSettings caps;
  caps.wall_s = 60;
  Budget budget(caps);
  EXPECT_FALSE(budget.reserve("gemm", {0, 0, 1}, 59));
  EXPECT_THAT(budget.reserve("gemm", {0, 0, 1}, 60)->message, HasSubstr("wall time"));
}

TEST(BudgetTest, EarlierRunsCount) {
  BudgetSettings caps;
  caps.tokens = 100;
  Budget budget(caps);
  budget.earlier("gemm", {0, 80, 2});
  EXPECT_FALSE(budget.reserve("gemm", {0, 20, 1}, 0));
  EXPECT_TRUE(budget.reserve("gemm", {0, 1, 1}, 0));
  EXPECT_EQ(budget.settled(), (Spending{0, 80, 2}));
}

TEST(BudgetTest, NoCapNoRefusal) {
  Budget budget({});
  EXPECT_FALSE(budget.reserve("gemm", {1'000'000'000'000, 1'000'000'000, 1}, 1e9));
}

TEST(BudgetTest, TheWorstCaseIsTheDearestModels) {
  PriceTable prices;
  prices.models["cheap"] = {1, 0.1, 2};
  prices.models["dear"] = {3, 0.3, 15};
  EXPECT_EQ(worst_case(1000, 200, {"cheap", "dear"}, prices), (Spending{6000, 1200, 1}));
  EXPECT_EQ(worst_case(1000, 200, {"unknown"}, prices), (Spending{0, 1200, 1}));
  prices.models["odd"] = {0.15, 0, 0.6};
  EXPECT_EQ(worst_case(1, 1, {"odd"}, prices).micros, 1);  // rounded up
}

TEST(BudgetTest, MoneyBecomesMicrosAndBack) {
  EXPECT_EQ(micros_of(0.1) + micros_of(0.2), micros_of(0.3));
  EXPECT_EQ(micros_of(-1), 0);
  EXPECT_EQ(micros_of(1e300), micros_of(1e9));
}

}  // namespace
}  // namespace noctune
