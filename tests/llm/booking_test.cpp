#include "llm/booking.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

ChatRequest request_of(std::size_t bytes) {
  ChatRequest out;
  out.messages = {{ChatRole::user, std::string(bytes, 'x')}};
  return out;
}

TEST(BookingTest, TheProvidersCountIsTaken) {
  WireReply reply;
  reply.usage.in = 7;
  reply.usage_known = true;
  const TokenUsage got = booked_usage({}, reply, request_of(300), 1000);
  EXPECT_EQ(got.in, 7);
  EXPECT_FALSE(got.estimated);
}

TEST(BookingTest, WithoutItWhatWasSentAndReceivedIsEstimated) {
  WireReply reply;
  reply.tokens = true;
  reply.text = std::string(30, 'y');
  reply.reasoning_bytes = 60;
  const TokenUsage got = booked_usage({}, reply, request_of(300), 1000);
  EXPECT_EQ(got.in, 100);
  EXPECT_EQ(got.out, 30);
  EXPECT_TRUE(got.estimated);
}

TEST(BookingTest, SilenceCostsAllThatWasReservedAndARefusalNothing) {
  Finding silent;
  silent.outcome = ChatOutcome::transport;
  silent.ambiguous = true;
  EXPECT_EQ(booked_usage(silent, {}, request_of(300), 1000).out, 1000);
  Finding refused;
  refused.outcome = ChatOutcome::rate_limited;
  const TokenUsage nothing = booked_usage(refused, {}, request_of(300), 1000);
  EXPECT_EQ(nothing.in + nothing.out, 0);
  EXPECT_FALSE(nothing.estimated);
}

TEST(BookingTest, APromptOfFarTooFewTokensWasCut) {
  WireReply reply;
  reply.usage_known = true;
  reply.usage.in = 4096;
  EXPECT_TRUE(prompt_was_cut(reply, request_of(60000)));
  EXPECT_FALSE(prompt_was_cut(reply, request_of(16000)));
  EXPECT_FALSE(prompt_was_cut({}, request_of(60000)));
}

}  // namespace
}  // namespace noctune
