#include "llm/spool_chat.hpp"

#include <gmock/gmock.h>

#include "llm/spool_fixture.hpp"

namespace noctune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SpoolChatTest : public SpoolTest {
 public:
  static Task<void> asking(SpoolChat& chat, int round, std::string content, ChatReply& out) {
    const CallSlot slot = slot_at(round);
    const ChatRequest request = request_of(content);
    out = co_await chat.ask(slot, request);
  }
  // Waits for the request and puts `content` in place of its reply.
  static Task<void> answering(SpoolFolder& spool, std::string name, std::string content) {
    while (!spool.has(SpoolPlace::req, name + ".txt")) co_await sleep_for(0.001);
    value_or_throw(spool.put(SpoolPlace::rsp, name + ".txt", content));
  }
};

TEST_F(SpoolChatTest, AnAnswerByHandIsFound) {
  SpoolChat chat(io_, open(), chat_settings());
  ChatReply reply;
  const std::string name = name_of(1, "a");
  run_all(io_, asking(chat, 1, "a", reply), answering(spool_, name, "by hand"));
  EXPECT_EQ(reply.outcome, ChatOutcome::ok);
  EXPECT_EQ(reply.text, "by hand");
  EXPECT_THAT(spool_.requests(), IsEmpty());
  EXPECT_TRUE(spool_.has(SpoolPlace::rsp, name + ".txt"));  // until the caller has it safe
  chat.forget(slot_at(1));
  EXPECT_FALSE(spool_.has(SpoolPlace::rsp, name + ".txt"));
  ChatReply again;
  run_all(io_, asking(chat, 1, "a", again));
  EXPECT_EQ(again.text, "by hand");
}

TEST_F(SpoolChatTest, ManyCallsAreOpenAtOnce) {
  SpoolChat chat(io_, open(), chat_settings());
  ChatReply first, second, same;
  const std::string one = name_of(1, "a"), two = name_of(2, "a");
  run_all(io_, asking(chat, 1, "a", first), asking(chat, 2, "a", second), asking(chat, 1, "a", same),
          answering(spool_, two, reply_text(ok_reply("2"))),
          answering(spool_, one, reply_text(ok_reply("1"))));
  EXPECT_EQ(first.text, "1");
  EXPECT_EQ(second.text, "2");
  EXPECT_EQ(same.text, "1");
}

TEST_F(SpoolChatTest, WithExitItLeavesTheRequestAndTheNextRunFindsTheAnswer) {
  SpoolChatSettings settings = chat_settings();
  settings.exit_when_waiting = true;
  const std::string name = name_of(1, "a");
  ChatReply reply;
  {
    SpoolChat chat(io_, open(), settings);
    run_all(io_, asking(chat, 1, "a", reply));
  }
  EXPECT_EQ(reply.outcome, ChatOutcome::waiting);
  EXPECT_THAT(spool_.requests(), ElementsAre(name));
  value_or_throw(spool_.put(SpoolPlace::rsp, name + ".txt", "found"));
  SpoolChat next(io_, open(), settings);
  run_all(io_, asking(next, 1, "a", reply));
  EXPECT_EQ(reply.text, "found");
}

TEST_F(SpoolChatTest, AMalformedReplyIsPutAsideAndTheRequestAskedAgain) {
  SpoolChat chat(io_, open(), chat_settings());
  ChatReply reply;
  const std::string name = name_of(1, "a");
  run_all(io_, asking(chat, 1, "a", reply), [](SpoolFolder& spool, std::string of) -> Task<void> {
    const std::string file = of + ".txt";
    while (!spool.has(SpoolPlace::req, file)) co_await sleep_for(0.001);
    spool.remove(SpoolPlace::req, file);
    value_or_throw(spool.put(SpoolPlace::rsp, file, "noctune-reply: 1\noutcome: splendid\n\n"));
    while (!spool.has(SpoolPlace::req, file)) co_await sleep_for(0.001);
    value_or_throw(spool.put(SpoolPlace::rsp, file, "better"));
  }(spool_, name));
  EXPECT_EQ(reply.text, "better");
  EXPECT_TRUE(spool_.has(SpoolPlace::bad, name + ".txt.why"));
  ASSERT_FALSE(warnings_.empty());
  EXPECT_THAT(warnings_[0], HasSubstr("malformed"));
}

TEST_F(SpoolChatTest, AFailureIsDeliveredOnceAndAskedAnew) {
  SpoolChat chat(io_, open(), chat_settings());
  ChatReply reply;
  const std::string name = name_of(1, "a");
  const std::string failed = reply_text(failed_reply(ChatOutcome::overloaded, "busy"));
  run_all(io_, asking(chat, 1, "a", reply), answering(spool_, name, failed));
  EXPECT_EQ(reply.outcome, ChatOutcome::overloaded);
  spool_.remove(SpoolPlace::req, name + ".txt");  // as the relay's claim did
  run_all(io_, asking(chat, 1, "a", reply), answering(spool_, name, "now"));
  EXPECT_EQ(reply.text, "now");
}

TEST_F(SpoolChatTest, AFileThatIsBeingWrittenIsNotTaken) {
  SpoolChat chat(io_, open(), chat_settings());
  ChatReply reply;
  const std::string name = name_of(1, "a");
  run_all(io_, asking(chat, 1, "a", reply), [](SpoolFolder& spool, std::string of) -> Task<void> {
    const auto path = spool.file(SpoolPlace::rsp, of + ".txt");
    while (!spool.has(SpoolPlace::req, of + ".txt")) co_await sleep_for(0.001);
    value_or_throw(write_file(path, ""));  // an editor has opened it
    std::string text;
    for (int i = 0; i < 20; ++i) {
      value_or_throw(write_file(path, text += "line\n"));
      co_await sleep_for(0.002);
    }
  }(spool_, name));
  EXPECT_EQ(reply.text.size(), 100U);
}

TEST_F(SpoolChatTest, SaysWhatToRunWhenNoRelayLooks) {
  SpoolChatSettings settings = chat_settings();
  settings.silence_s = 0.01;
  SpoolChat chat(io_, open(), settings);
  ChatReply reply;
  run_all(io_, asking(chat, 1, "a", reply), [](SpoolChatTest& test) -> Task<void> {
    while (test.warnings_.empty()) co_await sleep_for(0.001);
    std::string name = test.name_of(1, "a");
    co_await answering(test.spool_, std::move(name), "late");
  }(*this));
  EXPECT_THAT(warnings_[0], HasSubstr("noctune relay --spool " + spool_.path().string()));
}

TEST_F(SpoolChatTest, StopEndsOpenAndLaterCalls) {
  SpoolChat chat(io_, open(), chat_settings());
  ChatReply reply, later;
  run_all(io_, asking(chat, 1, "a", reply), [](SpoolChat& stopped) -> Task<void> {
    co_await sleep_for(0.001);
    stopped.stop();
  }(chat));
  run_all(io_, asking(chat, 2, "a", later));
  EXPECT_EQ(reply.outcome, ChatOutcome::stopped);
  EXPECT_EQ(later.outcome, ChatOutcome::stopped);
}

}  // namespace
}  // namespace noctune
