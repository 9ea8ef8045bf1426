#include "llm/budgeted_chat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_chat.hpp"
#include "fakes/run_all.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;

ChatRequest request(std::size_t bytes = 300) {
  ChatRequest out;
  out.messages = {{ChatRole::user, std::string(bytes, 'x')}};
  return out;
}
CallSlot slot(int sample = 0) {
  return {"gemm", "loop", 0, 1, sample, 0, "write"};
}

class BudgetedChatTest : public testing::Test {
 protected:
  BudgetedChatTest() : fake_(io_) {
    settings_.models = {"fake-1"};
    settings_.max_output_tokens = 400;
    settings_.prices.models["fake-1"] = {1, 0.1, 10};
  }
  ChatReply ask(BudgetedChat& chat, const CallSlot& where) {
    ChatReply out;
    run_all(io_, asking(chat, where, out));
    return out;
  }
  static Task<void> asking(BudgetedChat& chat, CallSlot where, ChatReply& out) {
    ChatRequest asked = request();
    out = co_await chat.ask(where, asked);
  }

  asio::io_context io_;
  FakeChat fake_;
  ModelSettings settings_;
};

TEST_F(BudgetedChatTest, SettlesWithWhatWasUsed) {
  BudgetedChat chat(io_, fake_, settings_);
  const ChatReply reply = ask(chat, slot());
  EXPECT_EQ(reply.outcome, ChatOutcome::ok);
  EXPECT_DOUBLE_EQ(reply.cost, (30 * 1 + 10 * 10) * 1e-6);
  EXPECT_EQ(chat.budget().settled(), (Spending{130, 40, 1}));
  EXPECT_EQ(chat.budget().reserved(), Spending{});
}

TEST_F(BudgetedChatTest, WhatDoesNotFitIsNotSent) {
  settings_.budget.money = 0.004;  // the worst case is 100 in and 400 out: 4100 micros
  BudgetedChat chat(io_, fake_, settings_);
  const ChatReply reply = ask(chat, slot());
  EXPECT_EQ(reply.outcome, ChatOutcome::over_budget);
  EXPECT_THAT(reply.message, HasSubstr("cap on money"));
  EXPECT_TRUE(fake_.asked().empty());
}

TEST_F(BudgetedChatTest, WaitsWhileAnOpenCallMayLeaveEnough) {
  settings_.budget.money = 0.005;
  BudgetedChat chat(io_, fake_, settings_);
  fake_.hold();
  ChatReply first, second;
  run_all(io_, asking(chat, slot(0), first), asking(chat, slot(1), second), [](FakeChat& fake) -> Task<void> {
    co_await fake.until_asked(1);
    EXPECT_EQ(fake.open(), 1);
    fake.release();
  }(fake_));
  EXPECT_EQ(first.outcome, ChatOutcome::ok);
  EXPECT_EQ(second.outcome, ChatOutcome::ok);
}

TEST_F(BudgetedChatTest, AFailureThatCostNothingIsReleased) {
  fake_.otherwise(failed_reply(ChatOutcome::rate_limited));
  BudgetedChat chat(io_, fake_, settings_);
  ask(chat, slot());
  EXPECT_EQ(chat.budget().settled(), (Spending{0, 0, 1}));
  EXPECT_EQ(chat.budget().reserved(), Spending{});
}

TEST_F(BudgetedChatTest, ACallThatBrokeOffIsBookedInFull) {
  fake_.otherwise(failed_reply(ChatOutcome::transport));
  BudgetedChat chat(io_, fake_, settings_);
  const ChatReply reply = ask(chat, slot());
  EXPECT_EQ(chat.budget().settled(), (Spending{4100, 500, 1}));
  EXPECT_TRUE(reply.usage.estimated);
  // A resumed run books the same from the stored reply.
  EXPECT_EQ(spending_of(reply, settings_.prices), chat.budget().settled());
}

TEST_F(BudgetedChatTest, WhatNeverLeftCostsNothing) {
  ChatReply unsent = failed_reply(ChatOutcome::transport);
  unsent.attempts = 0;
  fake_.otherwise(unsent);
  BudgetedChat chat(io_, fake_, settings_);
  ask(chat, slot());
  EXPECT_EQ(chat.budget().settled(), Spending{});
}

TEST_F(BudgetedChatTest, StopEndsWhoWaitsAndWhoIsOpen) {
  settings_.budget.money = 0.005;
  BudgetedChat chat(io_, fake_, settings_);
  fake_.hold();
  ChatReply first, second;
  run_all(io_, asking(chat, slot(0), first), asking(chat, slot(1), second),
          [](FakeChat& fake, BudgetedChat& stopped) -> Task<void> {
            co_await fake.until_asked(1);
            stopped.stop();
          }(fake_, chat));
  EXPECT_EQ(first.outcome, ChatOutcome::stopped);
  EXPECT_EQ(second.outcome, ChatOutcome::stopped);
}

TEST(TokenCalibrationTest, LearnsFromReportsWithinBounds) {
  TokenCalibration calibration;
  EXPECT_EQ(calibration.prompt_tokens(request(300)), 100);
  TokenUsage usage;
  usage.in = 75;
  calibration.learn(request(300), usage);
  EXPECT_EQ(calibration.prompt_tokens(request(300)), 83);  // 75 and a tenth
  usage.estimated = true;
  usage.in = 1'000'000;
  calibration.learn(request(300), usage);  // an estimate teaches nothing
  EXPECT_EQ(calibration.prompt_tokens(request(300)), 83);
  usage.estimated = false;
  calibration.learn(request(300), usage);
  EXPECT_EQ(calibration.ratio(), 4);
}

}  // namespace
}  // namespace noctune
