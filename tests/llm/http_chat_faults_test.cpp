// Every row of the failure table over real sockets.
#include "llm/chat_fixture.hpp"
#include "llm/golden_streams.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;
using testing::Not;

using HttpChatFaultsTest = ChatFixture;

const std::string begun = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half\"}}]}\n\n";

TEST_F(HttpChatFaultsTest, AStormOf429StopsTheWholeQueueUntilTheTimeNamed) {
  settings.concurrency = 6;
  script([](const ServerRequest& seen) {
    return seen.number < 6 ? error_reply(429, "rate_limit_exceeded", {{"Retry-After", "0.5"}}) : good_reply();
  });
  const auto chat = service();
  std::vector<ChatReply> got(12);
  for (ChatReply& reply : got) asio::co_spawn(io, ask_into(*chat, request, reply), asio::detached);
  io.run();
  for (const ChatReply& reply : got) EXPECT_EQ(reply.outcome, ChatOutcome::ok) << reply.message;
  const std::vector<ServerRequest> seen = server->requests();
  ASSERT_EQ(seen.size(), 18U);
  for (std::size_t i = 6; i < seen.size(); ++i) EXPECT_GE(seen[i].at_s - seen[5].at_s, 0.49) << i;
}

TEST_F(HttpChatFaultsTest, AnErrorInside200IsWaitedForAsWell) {
  script({json_reply(R"({"error":{"code":429,"message":"x"}})"), good_reply()});
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(HttpChatFaultsTest, AWaitBeyondTheTimeLeftEndsTheCallAndTheNextOnesAtOnce) {
  script({error_reply(429, "rate_limit_exceeded", {{"Retry-After", "3600"}})});
  const auto chat = service();
  EXPECT_EQ(ask(*chat).outcome, ChatOutcome::rate_limited);
  EXPECT_THAT(ask(*chat).message, HasSubstr("no requests"));
  EXPECT_EQ(sent(), 1U);
}

TEST_F(HttpChatFaultsTest, AUsedUpQuotaIsNoRateLimit) {
  script({error_reply(429, "insufficient_quota")});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::quota_dead);
  EXPECT_THAT(got.message, HasSubstr("credit"));
  EXPECT_EQ(sent(), 1U);
}

TEST_F(HttpChatFaultsTest, PagesOfFrontDoorsAreRetriedAndPagesOfFirewallsAreNot) {
  script({page_reply(502), page_reply(524), good_reply()});
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  script({page_reply(403)});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::interference);
  EXPECT_THAT(got.message, HasSubstr("Some gateway"));
  EXPECT_EQ(sent(), 1U);
  script({page_reply(200)});
  EXPECT_EQ(ask().outcome, ChatOutcome::interference);
}

TEST_F(HttpChatFaultsTest, PortalsAndProxiesAreNamed) {
  ServerReply moved = page_reply(302);
  moved.headers.emplace_back("Location", "https://portal.site/login");
  script({moved});
  EXPECT_THAT(ask().message, HasSubstr("portal.site/login"));
  EXPECT_EQ(sent(), 1U);
  script({page_reply(407)});
  EXPECT_EQ(ask().outcome, ChatOutcome::interference);
}

TEST_F(HttpChatFaultsTest, CommentsKeepASlowAnswerAlive) {
  settings.gap_s = 0.2;
  ServerReply slow = stream_reply(begun);
  for (int i = 0; i < 12; ++i) slow.body.push_back({": keep-alive\n\n", 0.05});  // 0.6 s
  slow.body.push_back({chat_events(" whole")});
  script({slow});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok) << got.message;
  EXPECT_EQ(got.text, "half whole");
  EXPECT_EQ(got.attempts, 1);
}

TEST_F(HttpChatFaultsTest, CommentsAreNoFirstContent) {
  settings.first_token_s = 0.2;
  ServerReply slow = stream_reply("");
  for (int i = 0; i < 200; ++i) slow.body.push_back({": processing\n\n", 0.02});
  script({slow});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::transport);
  EXPECT_EQ(sent(), 2U);  // one ambiguous retry
  EXPECT_EQ(got.usage.out, 2 * settings.max_output_tokens);
  EXPECT_TRUE(got.usage.estimated);
  EXPECT_GT(got.cost, 0);
}

TEST_F(HttpChatFaultsTest, AServerThatFallsSilentIsLeft) {
  settings.gap_s = 0.15;
  ServerReply silent = stream_reply(begun);
  silent.end = ServerReply::End::hang;
  script({silent, good_reply()});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok);
  EXPECT_EQ(got.text, "fine");
  EXPECT_EQ(got.attempts, 2);
  EXPECT_EQ(got.usage.out, settings.max_output_tokens + 10);  // the silent one counts in full
}

TEST_F(HttpChatFaultsTest, CutStreamsAreRetriedWhereverTheyAreCut) {
  const GoldenStream golden = golden_chat();
  for (const auto framing : {ServerReply::Framing::chunked, ServerReply::Framing::until_close})
    for (const auto end : {ServerReply::End::close, ServerReply::End::reset})
      for (std::size_t cut = 0; cut < golden.terminal; cut += 37) {
        ServerReply broken = stream_reply(golden.events.substr(0, cut));
        broken.framing = framing;
        broken.end = end;
        script({broken, good_reply()});
        const ChatReply got = ask();
        ASSERT_EQ(got.outcome, ChatOutcome::ok) << cut << got.message;
        ASSERT_EQ(got.text, "fine");
        ASSERT_EQ(got.attempts, 2) << cut;
      }
}

TEST_F(HttpChatFaultsTest, AServerThatAlwaysBreaksOffIsPaidForAFewTimesOnly) {
  ServerReply broken = stream_reply(begun);
  broken.end = ServerReply::End::close;
  script({broken});
  EXPECT_EQ(ask().outcome, ChatOutcome::transport);
  EXPECT_EQ(sent(), 5U);
}

TEST_F(HttpChatFaultsTest, ErrorsAmidTheStreamAreRetried) {
  script({stream_reply(begun + "data: {\"error\":{\"message\":\"busy\",\"type\":\"overloaded_error\"}}\n\n"),
          good_reply()});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok);
  EXPECT_EQ(got.text, "fine");
}

TEST_F(HttpChatFaultsTest, NobodyAnswering) {
  script({good_reply()});
  server.reset();
  settings.retry_s = 0.2;
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::transport);
  EXPECT_GT(got.attempts, 1);
  EXPECT_EQ(got.cost, 0);
}

TEST_F(HttpChatFaultsTest, AnExpiredKeyIsReadAgainOnce) {
  script([this](const ServerRequest& seen) {
    if (seen.headers.at("authorization") == "Bearer sk-canary-new") return good_reply();
    write_key("sk-canary-new");
    return error_reply(401, "invalid_api_key");
  });
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok) << got.message;
  EXPECT_EQ(sent(), 2U);
}

TEST_F(HttpChatFaultsTest, CallsThatWereOpenWhenTheKeyExpiredTryTheNewOne) {
  script([this](const ServerRequest& seen) {
    if (seen.headers.at("authorization") == "Bearer sk-canary-new") return good_reply();
    if (seen.number == 0) value_or_throw(replace_file(settings.key_file, "sk-canary-new"));
    return error_reply(401, "invalid_api_key");
  });
  for (const ChatReply& reply : ask_together(6)) EXPECT_EQ(reply.outcome, ChatOutcome::ok) << reply.message;
}

TEST_F(HttpChatFaultsTest, CallsThatWereOpenWhenAParameterWasRefusedLearnToo) {
  request.temperature = 0.5;
  script([](const ServerRequest& seen) {
    if (seen.body.find("temperature") == std::string::npos) return good_reply();
    return json_reply(R"({"error":{"message":"Unsupported value","param":"temperature"}})", 400);
  });
  for (const ChatReply& reply : ask_together(6)) EXPECT_EQ(reply.outcome, ChatOutcome::ok) << reply.message;
}

TEST_F(HttpChatFaultsTest, AnOutputCapBeyondTheContextIsFitted) {
  settings.max_output_tokens = 32000;
  script([](const ServerRequest& seen) {
    if (seen.body.find(":32000") == std::string::npos) return good_reply();
    return json_reply(
        R"({"object":"error","message":"This model's maximum context length is 8192 tokens. You asked for 32100","type":"BadRequestError","code":400})",
        400);
  });
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(HttpChatFaultsTest, ARefusedKeyIsNotTriedAgain) {
  script({error_reply(401, "invalid_api_key")});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::auth_dead);
  EXPECT_EQ(sent(), 1U);
}

TEST_F(HttpChatFaultsTest, ATruncatedAnswerGetsTwiceTheRoomOnce) {
  const std::string cut =
      "data: {\"choices\":[{\"delta\":{\"content\":\"half\"},\"finish_reason\":\"length\"}]}\n\n";
  script({stream_reply(cut), good_reply()});
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  EXPECT_THAT(body(0), HasSubstr("\"max_tokens\":1000"));
  EXPECT_THAT(body(1), HasSubstr("\"max_tokens\":2000"));
  script({stream_reply(cut)});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::truncated);
  EXPECT_EQ(got.text, "half");
  EXPECT_TRUE(got.usage.estimated);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(HttpChatFaultsTest, RefusalsGoToTheNextModel) {
  settings.models = {"m-1", "m-2"};
  script({json_reply(R"({"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]})"),
          good_reply()});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::ok);
  EXPECT_EQ(got.model_asked, "m-2");
  EXPECT_EQ(sent(), 2U);
  settings.models = {"m-1"};
  script({json_reply(R"({"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]})")});
  EXPECT_EQ(ask().outcome, ChatOutcome::refused);
}

TEST_F(HttpChatFaultsTest, ARefusedParameterIsLeftOutFromThenOn) {
  request.temperature = 0.5;
  script([](const ServerRequest& seen) {
    if (seen.body.find("temperature") == std::string::npos) return good_reply();
    return json_reply(R"({"error":{"message":"Unsupported value","param":"temperature"}})", 400);
  });
  const auto chat = service();
  EXPECT_EQ(ask(*chat).outcome, ChatOutcome::ok);
  EXPECT_EQ(ask(*chat).attempts, 1);
  EXPECT_EQ(sent(), 3U);
}

TEST_F(HttpChatFaultsTest, TheOutputCapIsRenamedWhereTheServerWantsThat) {
  script([](const ServerRequest& seen) {
    if (seen.body.find("\"max_completion_tokens\":1000") != std::string::npos) return good_reply();
    return json_reply(
        R"({"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "param":"max_tokens","code":"unsupported_parameter"}})",
        400);
  });
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  EXPECT_EQ(sent(), 2U);
}

TEST_F(HttpChatFaultsTest, TheSame400TwiceEndsIt) {
  request.temperature = 0.5;
  script({json_reply(R"({"error":{"message":"temperature is odd","param":"temperature"}})", 400)});
  const ChatReply got = ask();
  EXPECT_EQ(got.outcome, ChatOutcome::bad_request);
  EXPECT_EQ(got.param, "temperature");
  EXPECT_EQ(sent(), 2U);
}

TEST_F(HttpChatFaultsTest, APromptTooLongIsNotRetried) {
  script({error_reply(400, "context_length_exceeded")});
  EXPECT_EQ(ask().outcome, ChatOutcome::context_too_long);
  EXPECT_EQ(sent(), 1U);
}

TEST_F(HttpChatFaultsTest, APromptThatWasCutSilentlyIsSeen) {
  request.messages.push_back({ChatRole::user, std::string(60000, 'x')});
  script({good_reply()});  // which counted 30 tokens
  const ChatReply noted = ask();
  EXPECT_EQ(noted.outcome, ChatOutcome::ok);
  EXPECT_THAT(noted.message, HasSubstr("cut the prompt"));
  settings.flavour = "ollama";
  EXPECT_EQ(ask().outcome, ChatOutcome::context_too_long);
}

TEST_F(HttpChatFaultsTest, TlsWithTheRightTheWrongAndNoAuthority) {
  const TlsFiles files = make_certificates(folder.path());
  ScriptedServer tls([](const ServerRequest&) { return good_reply(); }, &files);
  settings.base_url = tls.url() + "/v1";
  settings.ca_file = files.ca;
  EXPECT_EQ(ask().outcome, ChatOutcome::ok);
  settings.ca_file = "";
  const ChatReply untrusted = ask();
  EXPECT_EQ(untrusted.outcome, ChatOutcome::interference);
  EXPECT_THAT(untrusted.message, HasSubstr("certificate"));
  EXPECT_THAT(untrusted.message, HasSubstr("model.ca_file"));
  settings.ca_file = "/nowhere/ca.pem";
  const ChatReply missing = ask();
  EXPECT_EQ(missing.outcome, ChatOutcome::interference);
  EXPECT_THAT(missing.message, HasSubstr("readable PEM file"));
  EXPECT_EQ(tls.requests().size(), 1U);
}

TEST_F(HttpChatFaultsTest, AThirdOfAllAttemptsFailsAndEveryCallIsAnswered) {
  settings.concurrency = 8;
  script([](const ServerRequest& seen) {
    ServerReply cut = stream_reply(begun), dead = stream_reply("");
    cut.end = ServerReply::End::close;
    dead.silent = true;
    dead.end = ServerReply::End::reset;
    switch (seen.number % 12) {
      case 0:
        return error_reply(429, "rate_limit_exceeded", {{"Retry-After-Ms", "20"}});
      case 3:
        return cut;
      case 6:
        return page_reply(503);
      case 9:
        return dead;
      default:
        return good_reply();
    }
  });
  const auto chat = service();
  std::vector<ChatReply> got(60);
  for (ChatReply& reply : got) asio::co_spawn(io, ask_into(*chat, request, reply), asio::detached);
  io.run();
  for (const ChatReply& reply : got) EXPECT_EQ(reply.outcome, ChatOutcome::ok) << reply.message;
}

}  // namespace
}  // namespace noctune
