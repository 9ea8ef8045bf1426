#include "llm/spool_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "model/chat_json.hpp"
#include "places.hpp"

namespace noctune {
namespace {

SpooledRequest example() {
  SpooledRequest out;
  out.campaign = "c1";
  out.slot = {"gemm", "loop", 0, 2, 1, 0, "write"};
  out.request.messages = {{ChatRole::system, "You write kernels.\n"},
                          {ChatRole::user, "=== end ===\n=== user, 3 bytes ===\nno\n\n"},
                          {ChatRole::assistant, ""}};
  out.request.prompt_template = "write/1";
  out.request.model = "big\\model\nx";
  out.request.max_output_tokens = 4000;
  out.request.temperature = 0.7;
  out.request.effort = "high";
  out.request.stable_prefix = 12;
  return out;
}

TEST(SpoolText, ARequestComesBackWhateverItsMessagesHold) {
  const SpooledRequest asked = example();
  const auto read = request_from(request_text(asked));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->campaign, "c1");
  EXPECT_EQ(slot_text(read->slot), "gemm/loop/0/2/1/0/write");
  EXPECT_EQ(to_json(read->request), to_json(asked.request));
  EXPECT_EQ(spool_name(*read), spool_name(asked));
}

TEST(SpoolText, ANameTellsCampaignSlotAndPromptApart) {
  const SpooledRequest asked = example();
  SpooledRequest other_campaign = asked, other_slot = asked, other_prompt = asked;
  other_campaign.campaign = "c2";
  other_slot.slot.sample = 2;
  other_prompt.request.messages[0].content += "!";
  const std::string name = spool_name(asked);
  EXPECT_TRUE(name.starts_with("gemm.loop.0.2.1.0.write.")) << name;
  EXPECT_TRUE(is_spool_name(name));
  EXPECT_EQ(name, spool_name(example()));
  EXPECT_NE(name, spool_name(other_campaign));
  EXPECT_NE(name, spool_name(other_slot));
  EXPECT_NE(name, spool_name(other_prompt));
}

TEST(SpoolText, NamesStayInsideTheSpool) {
  SpooledRequest asked = example();
  asked.slot.hotspot = "../../etc/pass@wd\n" + std::string(300, 'x');
  const std::string name = spool_name(asked);
  EXPECT_TRUE(is_spool_name(name)) << name;
  EXPECT_EQ(name.find_first_of("/@\n"), std::string::npos);
  for (const char* wrong : {"", "x", ".hidden.0123456789abcdef01234567", "gemm.0123456789abcdef0123456Z"})
    EXPECT_FALSE(is_spool_name(wrong)) << wrong;
}

TEST(SpoolText, AnyCutOfARequestIsAnErrorAndNoMore) {
  const std::string whole = request_text(example());
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(request_from(whole.substr(0, length))) << length;
}

TEST(SpoolText, MalformedRequestsSayWhatIsWrong) {
  const std::string good = request_text(example());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const auto read = request_from(text);
    return read ? std::string("accepted") : read.error().text();
  };
  EXPECT_THAT(changed("=== system, 19", "=== system, 17"), testing::HasSubstr("17 bytes"));
  EXPECT_THAT(changed("=== system, 19", "=== system, 99999999999999999999"), testing::HasSubstr("begin"));
  EXPECT_THAT(changed("=== system, 19", "=== system, 18446744073709551615"),
              testing::HasSubstr("bytes long"));
  EXPECT_THAT(changed("=== system", "=== wizard"), testing::HasSubstr("wizard"));
  EXPECT_THAT(changed("slot: gemm/loop/0/2", "slot: gemm/loop/0/x"), testing::HasSubstr("slot"));
  EXPECT_THAT(changed("noctune-request: 1", "noctune-request: 2"), testing::HasSubstr("no request"));
}

TEST(SpoolText, AReplyComesBackWithAllItSays) {
  ChatReply reply;
  reply.outcome = ChatOutcome::truncated;
  reply.text = "noctune-reply: 1\n\n```cpp\nint x;\n```";
  reply.message = "two\nlines \\ and more";
  reply.provider = "openai";
  reply.model_served = "m-2026";
  reply.parameters = R"({"temperature":0.5})";
  reply.usage = {100, 40, 5, 50, 30, true};
  reply.cost = 0.0123456;
  reply.seconds = 1.5;
  reply.attempts = 2;
  const auto read = reply_from(reply_text(reply));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(to_json(*read), to_json(reply));
}

TEST(SpoolText, ATextWithoutHeaderIsTheAnswer) {
  const auto read = reply_from("\xef\xbb\xbfHere it is:\n```\nx\n```\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->outcome, ChatOutcome::ok);
  EXPECT_EQ(read->text, "Here it is:\n```\nx\n```\n");
  EXPECT_EQ(read->provider, "hand");
  EXPECT_EQ(reply_from(" \n")->outcome, ChatOutcome::empty);
}

TEST(SpoolText, HeadersWrittenByHandMayBeShort) {
  const auto read = reply_from("noctune-reply: 1\r\noutcome: ok\r\nmodel_served: m\r\n\r\nthe answer");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->model_served, "m");
  EXPECT_EQ(read->text, "the answer");
}

TEST(SpoolText, MalformedRepliesAreErrors) {
  const std::string whole = reply_text([] {
    ChatReply reply;
    reply.outcome = ChatOutcome::ok;
    reply.text = "answer";
    return reply;
  }());
  EXPECT_FALSE(reply_from(whole.substr(0, whole.size() - 1)));
  EXPECT_FALSE(reply_from("noctune-reply: 1\noutcome: splendid\n\nx"));
  EXPECT_FALSE(reply_from("noctune-reply: 1\noutcome: ok"));
  EXPECT_FALSE(reply_from("noctune-reply: 1\nno key here\n\nx"));
}

TEST(SpoolText, NumbersOutOfRangeCountAsNothing) {
  const auto read = reply_from(
      "noctune-reply: 1\noutcome: ok\ntokens_in: -5\ntokens_out: 99999999999999999999\ncost: nan\n"
      "attempts: x\n\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->usage.in, 0);
  EXPECT_EQ(read->usage.out, 0);
  EXPECT_EQ(read->cost, 0);
  EXPECT_EQ(read->attempts, 0);
}

TEST(SpoolText, InvalidUtf8IsReplaced) {
  const auto read = reply_from("a\xff\xfe z");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->text, "a\xef\xbf\xbd\xef\xbf\xbd z");
}

// The first block of docs/spool.md that begins so.
std::string documented(const std::string& begin) {
  const std::string page = value_or_throw(read_file(NOCTUNE_SOURCE_DIR "/docs/spool.md"));
  const std::string fence = "~~~~text\n";
  const auto start = page.find(fence + begin) + fence.size();
  return page.substr(start, page.find("~~~~", start) - start);
}

TEST(SpoolText, TheDocumentedFilesAreWhatIsReadAndWritten) {
  const std::string request = documented("noctune-request");
  const auto asked = request_from(request);
  ASSERT_TRUE(asked) << asked.error().text();
  EXPECT_EQ(request_text(*asked), request);
  const std::string reply = documented("noctune-reply");
  const auto headed = reply_from(reply);
  ASSERT_TRUE(headed) << headed.error().text();
  EXPECT_EQ(reply_text(*headed), reply);
  EXPECT_EQ(reply_from(documented("The loop"))->text, documented("The loop"));
}

TEST(SpoolText, SlotsAreReadFromTheirEnd) {
  EXPECT_EQ(slot_text(*slot_from("a/b/loop/0/1/2/3/plan")), "a/b/loop/0/1/2/3/plan");
  for (const char* wrong : {"", "gemm", "loop/0/1/2/3/plan", "gemm/loop/0/1/2/99999999999/plan"})
    EXPECT_FALSE(slot_from(wrong)) << wrong;
}

}  // namespace
}  // namespace noctune
