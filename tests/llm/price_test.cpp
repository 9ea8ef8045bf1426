#include "llm/price.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

PriceTable table() {
  PriceTable out;
  out.models["alpha"] = {2, 0.5, 8};
  out.models["alpha-mini"] = {1, 0.25, 4};
  return out;
}

TEST(PriceTest, CachedTokensHaveTheirOwnRate) {
  TokenUsage usage;
  usage.in = 1'000'000;
  usage.cached = 400'000;
  usage.out = 100'000;
  EXPECT_DOUBLE_EQ(cost_of(table(), "alpha", usage), 0.6 * 2 + 0.4 * 0.5 + 0.1 * 8);
}

TEST(PriceTest, TheLongestNameThatBeginsTheModelsCounts) {
  const PriceTable prices = table();
  EXPECT_EQ(price_of(prices, "alpha-mini-2026-05-01"), &prices.models.at("alpha-mini"));
  EXPECT_EQ(price_of(prices, "alpha-2026-05-01"), &prices.models.at("alpha"));
  EXPECT_EQ(price_of(prices, "beta"), nullptr);
  EXPECT_EQ(cost_of(prices, "beta", TokenUsage{10, 0, 0, 10, 0, false}), 0);
}

TEST(PriceTest, TokensAreEstimatedUpwards) {
  EXPECT_EQ(estimated_tokens(0), 0);
  EXPECT_EQ(estimated_tokens(1), 1);
  EXPECT_EQ(estimated_tokens(301), 101);
}

}  // namespace
}  // namespace noctune
