#include "llm/replay_chat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "fakes/run_all.hpp"
#include "llm/spool_text.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;

ChatReply ask(ReplayChat& chat, int round) {
  asio::io_context io;
  ChatReply out;
  run_all(io, [](ReplayChat& asked, int where, ChatReply& reply) -> Task<void> {
    const CallSlot slot{"gemm", "loop", 0, where, 1, 0, "write"};
    ChatRequest request;
    reply = co_await asked.ask(slot, request);
  }(chat, round, out));
  return out;
}

TEST(ReplayChatTest, AFolderAnswersBySlot) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("replay"));
  ReplayChat chat(folder.path());
  value_or_throw(write_file(folder.path() / "gemm.loop.0.2.1.0.write.md", "the answer"));
  const ChatReply reply = ask(chat, 2);
  EXPECT_EQ(reply.outcome, ChatOutcome::ok);
  EXPECT_EQ(reply.text, "the answer");
  EXPECT_EQ(reply.attempts, 0);
  const ChatReply missing = ask(chat, 3);
  EXPECT_EQ(missing.outcome, ChatOutcome::empty);
  EXPECT_THAT(missing.message, HasSubstr("gemm/loop/0/3/1/0/write"));
  EXPECT_THAT(missing.message, HasSubstr("gemm.loop.0.3.1.0.write.md"));
}

TEST(ReplayChatTest, RepliesOfASpoolMayLieInTheFolder) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("replay"));
  ReplayChat chat(folder.path());
  ChatReply stored;
  stored.outcome = ChatOutcome::truncated;
  stored.text = "half";
  const auto path = folder.path() / "gemm.loop.0.2.1.0.write.md";
  value_or_throw(write_file(path, reply_text(stored)));
  EXPECT_EQ(ask(chat, 2).outcome, ChatOutcome::truncated);
  value_or_throw(write_file(path, reply_text(stored) + "too much"));
  EXPECT_EQ(ask(chat, 2).outcome, ChatOutcome::parse_error);
}

TEST(ReplayChatTest, AMapAnswersBySlotText) {
  std::map<std::string, ChatReply> replies;
  replies["gemm/loop/0/2/1/0/write"].outcome = ChatOutcome::refused;
  ReplayChat chat(replies, "first.h5");
  EXPECT_EQ(ask(chat, 2).outcome, ChatOutcome::refused);
  EXPECT_THAT(ask(chat, 1).message, HasSubstr("gemm/loop/0/1/1/0/write in first.h5"));
  EXPECT_THAT(chat.describe(), HasSubstr("first.h5"));
  chat.stop();
  EXPECT_EQ(ask(chat, 2).outcome, ChatOutcome::stopped);
}

}  // namespace
}  // namespace noctune
