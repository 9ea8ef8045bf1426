#include "llm/backoff.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Finding found(ChatOutcome outcome) {
  Finding out;
  out.outcome = outcome;
  return out;
}

RetryStep step(const Finding& finding, const RetryState& state = {}) {
  return decide(finding, state, RetryPolicy(), 0.5).step;
}

TEST(BackoffTest, WaitsDoubleUpToTheCapWithFullJitter) {
  RetryState state;
  const Finding finding = found(ChatOutcome::transport);
  const double widest[] = {2, 4, 8, 16, 32, 64, 120, 120};
  for (const double wait : widest) {
    EXPECT_DOUBLE_EQ(decide(finding, state, {}, 0.5).wait_s, 0.5 * wait);
    EXPECT_DOUBLE_EQ(decide(finding, state, {}, 0).wait_s, 0);
    ++state.failures;
  }
  state.failures = 100000;
  EXPECT_DOUBLE_EQ(decide(finding, state, {}, 0.5).wait_s, 60);
}

TEST(BackoffTest, TheProvidersWaitIsObeyed) {
  Finding finding = found(ChatOutcome::rate_limited);
  finding.retry_after_s = 300;
  const RetryDecision decision = decide(finding, {}, {}, 0.5);
  EXPECT_EQ(decision.step, RetryStep::again);
  EXPECT_GE(decision.wait_s, 300);
  EXPECT_LE(decision.wait_s, 302);
}

TEST(BackoffTest, RetriesEndWithTheTime) {
  RetryState state;
  state.elapsed_s = 1199.5;
  EXPECT_EQ(step(found(ChatOutcome::overloaded), state), RetryStep::next_model);
  Finding finding = found(ChatOutcome::rate_limited);
  finding.retry_after_s = 1500;
  EXPECT_EQ(step(finding), RetryStep::next_model);
}

TEST(BackoffTest, OnlyFourOutcomesAreRetriedUnchanged) {
  for (const auto outcome :
       {ChatOutcome::rate_limited, ChatOutcome::overloaded, ChatOutcome::transport, ChatOutcome::parse_error})
    EXPECT_EQ(step(found(outcome)), RetryStep::again) << to_text(outcome);
  for (const auto outcome : {ChatOutcome::refused, ChatOutcome::auth_dead})
    EXPECT_EQ(step(found(outcome)), RetryStep::next_model) << to_text(outcome);
  for (const auto outcome : {ChatOutcome::ok, ChatOutcome::quota_dead, ChatOutcome::context_too_long,
                             ChatOutcome::interference, ChatOutcome::stopped, ChatOutcome::over_budget})
    EXPECT_EQ(step(found(outcome)), RetryStep::end) << to_text(outcome);
}

TEST(BackoffTest, WhatIsBilledTwiceIsRetriedRarely) {
  Finding silent = found(ChatOutcome::transport);
  silent.ambiguous = true;
  EXPECT_EQ(step(silent), RetryStep::again);
  RetryState state;
  state.ambiguous = 1;
  EXPECT_EQ(step(silent, state), RetryStep::next_model);
  EXPECT_EQ(step(found(ChatOutcome::transport), state), RetryStep::again);
  Finding broken = found(ChatOutcome::transport);
  broken.paid = true;
  state.paid = 3;
  EXPECT_EQ(step(broken, state), RetryStep::again);
  state.paid = 4;
  EXPECT_EQ(step(broken, state), RetryStep::next_model);
}

TEST(BackoffTest, TheOutputCapIsDoubledOnce) {
  RetryState state;
  for (const auto outcome : {ChatOutcome::truncated, ChatOutcome::empty}) {
    state.doubled = false;
    EXPECT_EQ(step(found(outcome), state), RetryStep::larger_cap);
    state.doubled = true;
    EXPECT_EQ(step(found(outcome), state), RetryStep::next_model);
  }
}

TEST(BackoffTest, ParametersAreFixedUntilTheSameRefusalComesAgain) {
  RetryState state;
  EXPECT_EQ(step(found(ChatOutcome::bad_request), state), RetryStep::fix_parameter);
  state.same_refusal = true;
  EXPECT_EQ(step(found(ChatOutcome::bad_request), state), RetryStep::next_model);
  state.same_refusal = false;
  state.fixes = 4;
  EXPECT_EQ(step(found(ChatOutcome::bad_request), state), RetryStep::next_model);
}

TEST(BackoffTest, TheServersWordOutranksTheRules) {
  Finding finding = found(ChatOutcome::overloaded);
  finding.should_retry = false;
  EXPECT_EQ(step(finding), RetryStep::next_model);
  finding = found(ChatOutcome::bad_request);
  finding.should_retry = true;
  EXPECT_EQ(step(finding), RetryStep::again);
}

}  // namespace
}  // namespace noctune
