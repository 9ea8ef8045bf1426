#include "llm/reply_reader.hpp"

#include <gmock/gmock.h>

#include "llm/golden_streams.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;

struct Read {
  Finding finding;
  std::string text;
  WireReply reply;
};

Read finished(ReplyReader& reader, HttpFailure failure, int status, const HttpHeaders& headers) {
  HttpResponse response;
  response.status = status;
  response.failure = failure;
  response.headers = headers;
  response.sent = true;
  Read out;
  out.finding = reader.finish(response, 0);
  out.text = reader.text();
  out.reply = reader.reply();
  return out;
}

Read read(const std::string& provider, const std::string& body, std::size_t piece = 1U << 20U,
          HttpFailure failure = HttpFailure::none, int status = 200) {
  ReplyReader reader(provider);
  const HttpHeaders headers;
  if (!body.empty()) reader.begin(status, headers);
  for (std::size_t at = 0; at < body.size(); at += piece)
    if (reader.take(std::string_view(body).substr(at, piece)) == HttpProgress::refused) break;
  return finished(reader, failure, status, headers);
}

void expect_golden(const Read& got, const GoldenStream& golden) {
  EXPECT_EQ(got.finding.outcome, ChatOutcome::ok) << got.finding.message;
  EXPECT_EQ(got.text, golden.text);
  EXPECT_EQ(got.reply.model, "m-1");
  EXPECT_TRUE(got.reply.usage_known);
  EXPECT_EQ(got.reply.usage.in, 3);
  EXPECT_EQ(got.reply.usage.cached, 2);
  EXPECT_EQ(got.reply.usage.out, 9);
  EXPECT_FALSE(got.reply.id.empty());
  EXPECT_GT(got.reply.reasoning_bytes, 0U);
}

TEST(ReplyReaderTest, GoldenStreamsReadWholeAndByteByByte) {
  for (const GoldenStream& golden : golden_streams())
    for (const std::size_t piece : {1U << 20U, 1U, 2U, 7U})
      expect_golden(read(golden.provider, golden.events, piece), golden);
}

TEST(ReplyReaderTest, GoldenStreamsReadWithTheOtherLineEnds) {
  for (const GoldenStream& golden : golden_streams()) {
    std::string events;
    for (const char c : golden.events) events += c == '\n' ? std::string("\r\n") : std::string(1, c);
    expect_golden(read(golden.provider, events, 1), golden);
  }
}

TEST(ReplyReaderTest, AStreamCutAnywhereBeforeItsTerminalMarkerIsNeverOk) {
  for (const GoldenStream& golden : golden_streams())
    for (std::size_t cut = 0; cut <= golden.events.size(); ++cut)
      for (const HttpFailure failure : {HttpFailure::none, HttpFailure::cut}) {
        const Read got = read(golden.provider, golden.events.substr(0, cut), 1U << 20U, failure);
        const bool complete = cut >= golden.terminal;
        ASSERT_EQ(got.finding.outcome, complete ? ChatOutcome::ok : ChatOutcome::transport)
            << golden.provider << " cut at " << cut << ": " << got.finding.message;
        if (complete) {
          ASSERT_EQ(got.text, golden.text);
        }
      }
}

TEST(ReplyReaderTest, ACutAfterTheFinishReasonLacksOnlyUsage) {
  const GoldenStream golden = golden_chat();
  const Read got = read("openai", golden.events.substr(0, golden.terminal), 1U << 20U, HttpFailure::cut);
  EXPECT_EQ(got.finding.outcome, ChatOutcome::ok);
  EXPECT_FALSE(got.reply.usage_known);
}

TEST(ReplyReaderTest, DoneWithoutAFinishReasonIsNoEnd) {
  EXPECT_EQ(read("openai", "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\ndata: [DONE]\n\n")
                .finding.outcome,
            ChatOutcome::transport);
}

TEST(ReplyReaderTest, ErrorsAmidAStreamCount) {
  const std::string start = "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n";
  const Read chat =
      read("openai", start + "data: {\"error\":{\"message\":\"slow down\",\"code\":429}}\n\n" + start);
  EXPECT_EQ(chat.finding.outcome, ChatOutcome::rate_limited);
  EXPECT_TRUE(chat.finding.paid);
  EXPECT_EQ(read("anthropic",
                 "event: error\ndata: "
                 "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}\n\n")
                .finding.outcome,
            ChatOutcome::overloaded);
  EXPECT_EQ(
      read("openai-responses",
           "data: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"x\",\"param\":null}\n\n")
          .finding.outcome,
      ChatOutcome::rate_limited);
  EXPECT_EQ(
      read("openai-responses",
           "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":"
           "\"server_error\",\"message\":\"x\"}}}\n\n")
          .finding.outcome,
      ChatOutcome::overloaded);
}

TEST(ReplyReaderTest, AnEventThatIsNoJsonSpoilsTheAnswer) {
  const std::string body = "data: {\"choi\n\n" + golden_chat().events;
  EXPECT_EQ(read("openai", body).finding.outcome, ChatOutcome::parse_error);
}

std::string document(const std::string& message, const std::string& reason, const std::string& usage) {
  return R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":)" +
         message + R"(,"finish_reason":")" + reason + R"("}],"usage":)" + usage + "}";
}

TEST(ReplyReaderTest, DocumentsOfServersThatDoNotStream) {
  const std::string usage =
      R"({"prompt_tokens":3,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":8}})";
  const std::string ok = document(R"({"role":"assistant","content":"A","refusal":null})", "stop", usage);
  for (const std::string before : {"", "\n\n\n", "\xEF\xBB\xBF"}) {
    const Read got = read("openai", before + ok, 3);
    EXPECT_EQ(got.finding.outcome, ChatOutcome::ok) << got.finding.message;
    EXPECT_EQ(got.text, "A");
    EXPECT_EQ(got.reply.usage.reasoning, 8);
  }
  for (std::size_t cut = 0; cut < ok.size(); ++cut)
    ASSERT_NE(read("openai", ok.substr(0, cut)).finding.outcome, ChatOutcome::ok) << cut;
  EXPECT_FALSE(read("openai", document(R"({"content":"A"})", "stop", "null")).reply.usage_known);
  EXPECT_FALSE(
      read("openai", document(R"({"content":"A"})", "stop", R"({"prompt_tokens":0})")).reply.usage_known);
}

TEST(ReplyReaderTest, DocumentsThatAreNoAnswer) {
  const std::string eaten =
      R"({"prompt_tokens":3,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":9}})";
  const Read thinking = read("openai", document(R"({"content":""})", "length", eaten));
  EXPECT_EQ(thinking.finding.outcome, ChatOutcome::truncated);
  EXPECT_THAT(thinking.finding.message, HasSubstr("thinking"));
  EXPECT_EQ(read("openai", document(R"({"content":""})", "stop", eaten)).finding.outcome, ChatOutcome::empty);
  EXPECT_EQ(read("openai", document(R"({})", "STOP", eaten)).finding.outcome, ChatOutcome::empty);
  EXPECT_EQ(read("openai", document(R"({"content":"<think>a"})", "stop", eaten)).finding.outcome,
            ChatOutcome::empty);
  EXPECT_EQ(read("openai", document(R"({"content":null,"refusal":"no"})", "stop", eaten)).finding.outcome,
            ChatOutcome::refused);
  EXPECT_EQ(read("openai", document(R"({"content":null})", "content_filter", eaten)).finding.outcome,
            ChatOutcome::refused);
  EXPECT_EQ(
      read("openai", document(R"({"content":"A"})", "insufficient_system_resource", eaten)).finding.outcome,
      ChatOutcome::overloaded);
  EXPECT_EQ(
      read("openai", document(R"({"content":null,"tool_calls":[{"id":"t1","function":{"arguments":"{"}}]})",
                              "tool_calls", eaten))
          .finding.outcome,
      ChatOutcome::parse_error);
  EXPECT_EQ(read("openai", R"({"choices":null})").finding.outcome, ChatOutcome::parse_error);
}

TEST(ReplyReaderTest, ResponsesAndMessagesAsDocuments) {
  EXPECT_EQ(read("openai-responses",
                 R"({"id":"r1","object":"response","status":"incomplete","incomplete_details":{"reason":
                 "max_output_tokens"},"output":[{"type":"reasoning","id":"rs1","summary":[]}],
                 "usage":{"input_tokens":3,"output_tokens":9,"total_tokens":12}})")
                .finding.outcome,
            ChatOutcome::truncated);
  const Read answered = read(
      "anthropic",
      R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"",
      "signature":"s"},{"type":"text","text":"A"}],"stop_reason":"end_turn","stop_sequence":null,
      "usage":{"input_tokens":3,"cache_read_input_tokens":5,"output_tokens":9}})");
  EXPECT_EQ(answered.finding.outcome, ChatOutcome::ok) << answered.finding.message;
  EXPECT_EQ(answered.text, "A");
  EXPECT_EQ(answered.reply.usage.in, 8);
  EXPECT_EQ(answered.reply.usage.cached, 5);
  const Read refused = read("anthropic", R"({"id":"m1","type":"message","content":[],"stop_reason":"refusal",
      "stop_details":{"type":"refusal","category":"frontier_llm"},"usage":{"input_tokens":3,"output_tokens":1}})");
  EXPECT_EQ(refused.finding.outcome, ChatOutcome::refused);
  EXPECT_THAT(refused.finding.message, HasSubstr("frontier_llm"));
}

TEST(ReplyReaderTest, InvalidTextComesOutAsValidUtf8) {
  const Read got = read("openai", document("{\"content\":\"A\xFF\"}", "stop", "null"));
  EXPECT_EQ(got.text, "A\xEF\xBF\xBD");
}

TEST(ReplyReaderTest, TheTimersLearnWhatCame) {
  ReplyReader reader("openai");
  reader.begin(200, {});
  EXPECT_EQ(reader.take("\n\n"), HttpProgress::life);
  EXPECT_EQ(reader.take(": keep-alive\n\n"), HttpProgress::life);
  EXPECT_EQ(reader.take("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"),
            HttpProgress::life);
  EXPECT_EQ(reader.take("data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n\n"),
            HttpProgress::content);
  EXPECT_EQ(reader.take(": keep-alive\n\n"), HttpProgress::content);
  EXPECT_EQ(reader.take("data: [DONE]\n\n"), HttpProgress::finished);
  ReplyReader huge("openai");
  huge.begin(200, {});
  EXPECT_EQ(huge.take("data: " + std::string(SseParser::default_cap, 'x')), HttpProgress::refused);
}

}  // namespace
}  // namespace noctune
