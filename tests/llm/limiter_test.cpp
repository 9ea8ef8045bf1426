#include "llm/limiter.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace noctune {
namespace {

std::vector<RequestLimiter::Ticket> start_all(RequestLimiter& limiter, double now) {
  std::vector<RequestLimiter::Ticket> out;
  while (limiter.may_start(now)) out.push_back(limiter.start(now));
  return out;
}

TEST(LimiterTest, AllowsSoManyAtOnce) {
  RequestLimiter limiter(3);
  const auto tickets = start_all(limiter, 0);
  EXPECT_EQ(tickets.size(), 3U);
  limiter.ended(tickets[0]);
  EXPECT_TRUE(limiter.may_start(0));
  EXPECT_EQ(RequestLimiter(0).allowed(), 1);
}

TEST(LimiterTest, NobodyStartsBeforeTheTimeThatTheProviderNamed) {
  RequestLimiter limiter(8);
  const auto ticket = limiter.start(10);
  limiter.throttled(ticket, 11, 30);
  EXPECT_FALSE(limiter.may_start(40.9));
  EXPECT_DOUBLE_EQ(limiter.paused_for(31), 10);
  EXPECT_TRUE(limiter.may_start(41));
  const auto later = limiter.start(41);
  limiter.throttled(later, 42, 100);
  limiter.throttled(limiter.start(41), 43, 1);  // a shorter wish shortens nothing
  EXPECT_DOUBLE_EQ(limiter.paused_for(43), 99);
}

TEST(LimiterTest, ABurstOfRefusalsHalvesOnce) {
  RequestLimiter limiter(16);
  const auto burst = start_all(limiter, 0);
  for (std::size_t i = 0; i < burst.size(); ++i)
    limiter.throttled(burst[i], 1 + 0.01 * static_cast<double>(i), 0);
  EXPECT_EQ(limiter.allowed(), 8);
  EXPECT_EQ(limiter.open(), 0);
  const auto again = start_all(limiter, 5);
  EXPECT_EQ(again.size(), 8U);
  for (const auto& ticket : again) limiter.throttled(ticket, 6, 0);
  EXPECT_EQ(limiter.allowed(), 4);
  for (int i = 0; i < 9; ++i) limiter.throttled(limiter.start(10.0 + i), 10.5 + i, 0);
  EXPECT_EQ(limiter.allowed(), 1);
}

TEST(LimiterTest, GrowsByOneAfterSoManySuccesses) {
  RequestLimiter limiter(4, 3);
  limiter.throttled(limiter.start(0), 1, 0);
  ASSERT_EQ(limiter.allowed(), 2);
  for (int i = 0; i < 3; ++i) limiter.succeeded(limiter.start(2));
  EXPECT_EQ(limiter.allowed(), 3);
  for (int i = 0; i < 30; ++i) limiter.succeeded(limiter.start(3));
  EXPECT_EQ(limiter.allowed(), 4);
}

}  // namespace
}  // namespace noctune
