#include "llm/relay.hpp"

#include <gmock/gmock.h>

#include "llm/spool_fixture.hpp"

namespace noctune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RelayTest : public SpoolTest {
 public:  // coroutines of the tests are no members
  RelayTest() : fake_(io_) {}
  // As a killed relay leaves it, whose heartbeat a dead process wrote.
  void claim_of_the_dead(const std::string& name, const SpoolAttempts& attempts) {
    ASSERT_TRUE(spool_.take({name, "dead"}));
    if (attempts.sent > 0) value_or_throw(spool_.set_attempts({name, "dead"}, attempts));
  }
  int attempts_of(const std::string& name) const {
    int out = 0;
    for (const SpoolClaim& sender : spool_.senders(name)) out += spool_.attempts(sender).sent;
    return out;
  }
  RelaySettings after_the_dead() {
    RelaySettings out = relay_settings();
    out.stale_s = -1;  // others' silence is always too long
    return out;
  }

  FakeChat fake_;
};

TEST_F(RelayTest, AnswersAndCleansUp) {
  put(1, "a");
  put(2, "b");
  const RelayTotals totals = run_once(fake_, relay_settings());
  EXPECT_EQ(totals.answers, 2);
  EXPECT_EQ(totals.problem, "");
  EXPECT_EQ(reply_to(name_of(1, "a")).text, "answer to gemm/loop/0/1/0/0/write");
  EXPECT_EQ(fake_.asked()[0].second.messages[1].content, "a");
  EXPECT_THAT(spool_.requests(), IsEmpty());
  for (const SpoolPlace place : {SpoolPlace::work, SpoolPlace::tmp, SpoolPlace::relays, SpoolPlace::bad})
    EXPECT_THAT(spool_.list(place, ""), IsEmpty()) << to_text(place);
}

TEST_F(RelayTest, ARequestChoosesNeitherAnotherModelNorALongerOutput) {
  SpooledRequest asked{"c1", slot_at(1), request_of("a")};
  asked.request.model = "dearest";
  value_or_throw(spool_.put(SpoolPlace::req, spool_name(asked) + ".txt", request_text(asked)));
  SpooledRequest greedy{"c1", slot_at(2), request_of("a")};
  greedy.request.max_output_tokens = 1'000'000;
  value_or_throw(spool_.put(SpoolPlace::req, spool_name(greedy) + ".txt", request_text(greedy)));
  RelaySettings settings = relay_settings();
  settings.model.max_output_tokens = 500;
  run_once(fake_, settings);
  const ChatReply refused = reply_to(spool_name(asked));
  EXPECT_EQ(refused.outcome, ChatOutcome::bad_request);
  EXPECT_EQ(refused.param, "model");
  EXPECT_THAT(refused.message, HasSubstr("fake-1"));
  ASSERT_EQ(fake_.asked().size(), 1U);
  EXPECT_EQ(fake_.asked()[0].second.max_output_tokens, 500);
}

TEST_F(RelayTest, MalformedRequestsAreAnsweredAndPutAside) {
  const std::string name = name_of(1, "a");
  value_or_throw(spool_.put(SpoolPlace::req, name + ".txt", "noctune-request: 1\nrubbish"));
  value_or_throw(spool_.put(SpoolPlace::req, "readme.txt", "nobody's request"));
  run_once(fake_, relay_settings());
  EXPECT_EQ(reply_to(name).outcome, ChatOutcome::bad_request);
  EXPECT_EQ(spool_.list(SpoolPlace::bad, ".why").size(), 1U);
  EXPECT_TRUE(spool_.has(SpoolPlace::req, "readme.txt"));
  EXPECT_TRUE(fake_.asked().empty());
}

TEST_F(RelayTest, AnsweredRequestsAreNotSent) {
  put(1, "a");
  value_or_throw(spool_.put(SpoolPlace::rsp, name_of(1, "a") + ".txt", "by hand"));
  put(2, "a");
  value_or_throw(spool_.put(SpoolPlace::done, name_of(2, "a") + ".txt", "earlier"));
  run_once(fake_, relay_settings());
  EXPECT_TRUE(fake_.asked().empty());
  EXPECT_THAT(spool_.requests(), IsEmpty());
}

TEST_F(RelayTest, TheClaimOfADeadRelayIsServed) {
  put(1, "a");
  claim_of_the_dead(name_of(1, "a"), {});
  const RelayTotals totals = run_once(fake_, after_the_dead());
  EXPECT_EQ(totals.answers, 1);
  EXPECT_EQ(reply_to(name_of(1, "a")).attempts, 1);
  ASSERT_FALSE(notes_.empty());
  EXPECT_THAT(notes_[0], HasSubstr("relay dead"));
}

TEST_F(RelayTest, TheClaimOfALiveRelayIsLeftAlone) {
  put(1, "a");
  const RelayHeartbeat other(spool_);
  RelayHeartbeat beating(spool_);
  value_or_throw(beating.beat());
  ASSERT_TRUE(spool_.take({name_of(1, "a"), beating.id()}));
  run_once(fake_, relay_settings());
  EXPECT_TRUE(fake_.asked().empty());
  EXPECT_EQ(spool_.claims().size(), 1U);
}

TEST_F(RelayTest, WhatMayHaveBeenSentIsSentOnceMoreAndBookedTwice) {
  put(1, "a");
  claim_of_the_dead(name_of(1, "a"), {1, 5000, 700});
  run_once(fake_, after_the_dead());
  EXPECT_EQ(fake_.asked().size(), 1U);
  const ChatReply reply = reply_to(name_of(1, "a"));
  EXPECT_EQ(reply.outcome, ChatOutcome::ok);
  EXPECT_EQ(reply.attempts, 2);
  EXPECT_EQ(reply.usage.in + reply.usage.out, 700 + 40);
  EXPECT_DOUBLE_EQ(reply.cost, 0.005);
}

TEST_F(RelayTest, WhatWasSentTwiceIsGivenUp) {
  put(1, "a");
  claim_of_the_dead(name_of(1, "a"), {2, 9000, 1400});
  const RelayTotals totals = run_once(fake_, after_the_dead());
  EXPECT_TRUE(fake_.asked().empty());
  EXPECT_EQ(totals.failures, 1);
  const ChatReply reply = reply_to(name_of(1, "a"));
  EXPECT_EQ(reply.outcome, ChatOutcome::transport);
  EXPECT_DOUBLE_EQ(reply.cost, 0.009);
}

TEST_F(RelayTest, AReplyThatADeadRelayHasStoredCounts) {
  put(1, "a");
  claim_of_the_dead(name_of(1, "a"), {1, 0, 0});
  value_or_throw(spool_.put(SpoolPlace::rsp, name_of(1, "a") + ".txt", reply_text(ok_reply("stored"))));
  run_once(fake_, after_the_dead());
  EXPECT_TRUE(fake_.asked().empty());
  EXPECT_EQ(reply_to(name_of(1, "a")).text, "stored");
  EXPECT_THAT(spool_.list(SpoolPlace::work, ""), IsEmpty());
}

TEST_F(RelayTest, TheBudgetHoldsAcrossRestarts) {
  RelaySettings settings = relay_settings();
  settings.model.budget.requests = 2;
  put(1, "a");
  run_once(fake_, settings);
  spool_.archive_reply(name_of(1, "a"), true);
  put(2, "a");
  put(3, "a");
  const RelayTotals totals = run_once(fake_, settings);
  EXPECT_EQ(totals.answers, 1);
  EXPECT_EQ(totals.failures, 1);
  EXPECT_EQ(fake_.asked().size(), 2U);
}

TEST_F(RelayTest, AFailureThatIsAskedAnewIsBookedOnce) {
  ChatReply cut = failed_reply(ChatOutcome::transport);
  cut.usage.in = 100;
  const std::string slot = slot_text(slot_at(1));
  fake_.script(slot, cut);
  fake_.script(slot, "at last");
  RelaySettings settings = relay_settings();
  settings.model.budget.tokens = 100 + 40 + 1000 + 50;  // both replies and one more worst case
  settings.model.max_output_tokens = 1000;
  Relay relay(io_, open(), fake_, settings);
  SpoolChat chat(io_, open(), chat_settings());
  RelayTotals totals;
  std::vector<ChatOutcome> outcomes;
  run_all(io_, into(relay.run(), totals),
          [](SpoolChat& asked, Relay& stopped, std::vector<ChatOutcome>& out) -> Task<void> {
            for (const int round : {1, 1, 2}) {
              const CallSlot where = slot_at(round);
              const ChatRequest request = request_of("a");
              const ChatReply reply = co_await asked.ask(where, request);
              out.push_back(reply.outcome);
            }
            stopped.stop();
          }(chat, relay, outcomes));
  EXPECT_THAT(outcomes, ElementsAre(ChatOutcome::transport, ChatOutcome::ok, ChatOutcome::ok));
}

TEST_F(RelayTest, ARefusedKeyEndsTheRelayAndKeepsTheRequest) {
  fake_.otherwise(failed_reply(ChatOutcome::auth_dead, "no such key"));
  put(1, "a");
  Relay relay(io_, open(), fake_, relay_settings());
  RelayTotals totals;
  run_all(io_, into(relay.run(), totals));
  EXPECT_THAT(totals.problem, HasSubstr("no such key"));
  EXPECT_THAT(spool_.requests(), ElementsAre(name_of(1, "a")));
  EXPECT_EQ(attempts_of(name_of(1, "a")), 0);
}

TEST_F(RelayTest, StopWaitsForOpenCallsAndTakesNoMore) {
  fake_.hold();
  RelaySettings settings = relay_settings();
  settings.model.concurrency = 1;
  put(1, "a");
  put(2, "a");
  Relay relay(io_, open(), fake_, settings);
  RelayTotals totals;
  run_all(io_, into(relay.run(), totals), [](RelayTest& test, Relay& stopped) -> Task<void> {
    co_await test.fake_.until_asked(1);
    stopped.stop();
    EXPECT_EQ(test.fake_.open(), 1);
    test.fake_.release();
  }(*this, relay));
  EXPECT_EQ(totals.answers, 1);
  EXPECT_THAT(spool_.requests(), ElementsAre(name_of(2, "a")));
}

TEST_F(RelayTest, HurryKeepsWhatWasAskedAndThatItWasSent) {
  fake_.hold();
  put(1, "a");
  Relay relay(io_, open(), fake_, relay_settings());
  RelayTotals totals;
  run_all(io_, into(relay.run(), totals), [](RelayTest& test, Relay& hurried) -> Task<void> {
    co_await test.fake_.until_asked(1);
    EXPECT_EQ(test.attempts_of(test.name_of(1, "a")), 1);
    hurried.hurry();
  }(*this, relay));
  EXPECT_EQ(totals.answers, 0);
  EXPECT_THAT(spool_.requests(), ElementsAre(name_of(1, "a")));
  EXPECT_EQ(attempts_of(name_of(1, "a")), 1);
}

TEST_F(RelayTest, TheStopFileEndsIt) {
  Relay relay(io_, open(), fake_, relay_settings());
  value_or_throw(write_file(spool_.path() / "STOP", ""));  // an earlier one is of no account
  RelayTotals totals;
  bool served = false;
  run_all(io_, into(relay.run(), totals), [](RelayTest& test, bool& answered) -> Task<void> {
    co_await sleep_for(0.001);
    test.put(1, "a");
    co_await test.fake_.until_asked(1);
    answered = true;
    value_or_throw(write_file(test.spool_.path() / "STOP", ""));
  }(*this, served));
  EXPECT_TRUE(served);
  EXPECT_EQ(totals.answers, 1);
}

TEST_F(RelayTest, RelaysThatRaceAskEverythingOnce) {
  constexpr int requests = 60;
  for (int i = 0; i < requests; ++i) put(i, "a");
  RelaySettings settings = relay_settings();
  settings.model.concurrency = 3;
  settings.once = true;
  Relay first(io_, open(), fake_, settings), second(io_, open(), fake_, settings);
  RelayTotals one, two;
  run_all(io_, into(first.run(), one), into(second.run(), two));
  EXPECT_EQ(one.answers + two.answers, requests);
  EXPECT_GT(one.answers, 0);
  EXPECT_GT(two.answers, 0);
  for (int i = 0; i < requests; ++i) EXPECT_EQ(fake_.calls(slot_text(slot_at(i))), 1) << i;
  EXPECT_THAT(spool_.list(SpoolPlace::work, ""), IsEmpty());
}

TEST_F(RelayTest, AndSpoolChatWorkTogether) {
  SpoolChat chat(io_, open(), chat_settings());
  Relay relay(io_, open(), fake_, relay_settings());
  RelayTotals totals;
  run_all(io_, into(relay.run(), totals), [](SpoolChat& asked, Relay& stopped) -> Task<void> {
    for (int i = 0; i < 5; ++i) {
      const CallSlot slot = slot_at(i);
      const ChatRequest request = request_of("a");
      const ChatReply reply = co_await asked.ask(slot, request);
      EXPECT_EQ(reply.text, "answer to " + slot_text(slot));
      asked.forget(slot);
    }
    stopped.stop();
  }(chat, relay));
  EXPECT_EQ(totals.answers, 5);
  EXPECT_TRUE(warnings_.empty());
  EXPECT_THAT(spool_.list(SpoolPlace::rsp), IsEmpty());
}

}  // namespace
}  // namespace noctune
