#include "llm/http_chat.hpp"

#include "llm/chat_fixture.hpp"
#include "llm/golden_streams.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;
using testing::Not;

using HttpChatTest = ChatFixture;

TEST_F(HttpChatTest, AnswersWithTextUsageAndCost) {
  ServerReply reply = good_reply("fine \"code\"\n");
  reply.headers.emplace_back("x-request-id", "req-7");
  script({reply});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok) << got.message;
  EXPECT_EQ(got.text, "fine \"code\"\n");
  EXPECT_EQ(got.message, "");
  EXPECT_EQ(got.provider, "openai");
  EXPECT_EQ(got.model_asked, "m-1");
  EXPECT_EQ(got.model_served, "m-1");
  EXPECT_EQ(got.request_id, "req-7");
  EXPECT_EQ(got.finish_reason, "stop");
  EXPECT_EQ(got.usage.in, 30);
  EXPECT_EQ(got.usage.out, 10);
  EXPECT_FALSE(got.usage.estimated);
  EXPECT_DOUBLE_EQ(got.cost, (30 * 1 + 10 * 2) * 1e-6);
  EXPECT_EQ(got.attempts, 1);
  EXPECT_GT(got.seconds, 0);
  EXPECT_THAT(got.parameters, HasSubstr("\"model\":\"m-1\""));
}

TEST_F(HttpChatTest, TheKeyGoesIntoTheHeaderAndNowhereElse) {
  script({good_reply()});
  const auto chat = service();
  const ChatReply got = ask(*chat);
  const ServerRequest seen = server->requests().at(0);
  EXPECT_EQ(seen.target, "/v1/chat/completions");
  EXPECT_EQ(seen.headers.at("authorization"), "Bearer sk-canary-1234");
  EXPECT_EQ(seen.headers.at("content-type"), "application/json");
  EXPECT_THAT(seen.body, Not(HasSubstr("canary")));
  EXPECT_THAT(got.parameters + chat->describe(), Not(HasSubstr("canary")));
}

TEST_F(HttpChatTest, AServerThatRepeatsTheKeyIsRedacted) {
  script({json_reply(R"({"error":{"message":"Incorrect API key: sk-canary-1234"}})", 401)});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::auth_dead);
  EXPECT_THAT(got.message, HasSubstr("[key]"));
}

TEST_F(HttpChatTest, AllThreeWiresOverARealSocketInSmallPieces) {
  for (const GoldenStream& golden : golden_streams()) {
    settings.provider = golden.provider;
    ServerReply reply = stream_reply("");
    reply.body.clear();
    for (std::size_t at = 0; at < golden.events.size(); at += 5)
      reply.body.push_back({golden.events.substr(at, 5), at % 100 == 0 ? 0.001 : 0});
    script({reply});
    const ChatReply got = ask();
    EXPECT_EQ(got.outcome, ChatOutcome::ok) << golden.provider << got.message;
    EXPECT_EQ(got.text, golden.text);
    EXPECT_EQ(got.usage.cached, 2);
  }
}

TEST_F(HttpChatTest, ARequestsOwnModelGoesFirst) {
  script({error_reply(404, "model_not_found"), good_reply()});
  request.model = "mine";
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok);
  EXPECT_EQ(got.model_asked, "m-1");
  EXPECT_THAT(body(0), HasSubstr("\"mine\""));
}

TEST_F(HttpChatTest, NoMoreRequestsAreOpenThanAllowed) {
  settings.concurrency = 3;
  script([](const ServerRequest&) {
    ServerReply reply = good_reply();
    reply.body.front().pause_s = 0.05;
    return reply;
  });
  const auto chat = service();
  std::vector<ChatReply> got(9);
  const Stopwatch watch;
  for (ChatReply& reply : got) asio::co_spawn(io, ask_into(*chat, request, reply), asio::detached);
  io.run();
  for (const ChatReply& reply : got) EXPECT_EQ(reply.outcome, ChatOutcome::ok) << reply.message;
  EXPECT_GE(watch.seconds(), 0.14);  // three waves
  int connections = 0;
  for (const ServerRequest& seen : server->requests())
    connections = std::max(connections, seen.connection + 1);
  EXPECT_EQ(connections, 3);
}

TEST_F(HttpChatTest, StopEndsOpenWaitingAndQueuedCallsAtOnce) {
  settings.concurrency = 2;
  options.retry.base_s = options.retry.cap_s = 100;
  settings.retry_s = 1000;
  script([](const ServerRequest& seen) {
    ServerReply out = seen.number == 0 ? error_reply(503, "unavailable") : good_reply();
    if (seen.number > 0) out.end = ServerReply::End::hang, out.body.clear();
    return out;
  });
  const auto chat = service();
  std::vector<ChatReply> got(5);
  for (ChatReply& reply : got) asio::co_spawn(io, ask_into(*chat, request, reply), asio::detached);
  asio::steady_timer timer(io, std::chrono::milliseconds(200));
  timer.async_wait([&](asio::error_code) { chat->stop(); });
  const Stopwatch watch;
  io.run();
  EXPECT_LT(watch.seconds(), 1.5);
  for (const ChatReply& reply : got) EXPECT_EQ(reply.outcome, ChatOutcome::stopped);
  EXPECT_EQ(ask(*chat).outcome, ChatOutcome::stopped);
}

TEST_F(HttpChatTest, LocalServersAreReachedPastTheProxy) {
  ScriptedServer proxy([](const ServerRequest&) { return page_reply(502); });
  script({good_reply()});
  ::setenv("http_proxy", proxy.url().c_str(), 1);
  settings.retry_s = 0.01;
  EXPECT_EQ(ask().outcome, ChatOutcome::overloaded);
  settings.local = true;
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  ::unsetenv("http_proxy");
}

TEST_F(HttpChatTest, DescribesItselfWithoutSecrets) {
  settings.base_url = "https://user:word@host/v1?code=1";
  settings.flavour = "azure";
  settings.models = {"a", "b"};
  EXPECT_EQ(service()->describe(), "openai (azure), model a, then b at https://host/v1");
}

TEST_F(HttpChatTest, WithoutAModelNothingIsSent) {
  settings.models.clear();
  script({good_reply()});
  EXPECT_EQ(ask().outcome, ChatOutcome::bad_request);
  EXPECT_EQ(sent(), 0U);
}

}  // namespace
}  // namespace noctune
