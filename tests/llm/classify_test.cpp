#include "llm/classify.hpp"

#include <gmock/gmock.h>

#include "llm/json_field.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double now = 1'800'000'000;  // 2027-01-15T08:00:00Z

struct Row {
  int status;
  const char* body;
  ChatOutcome outcome;
};

const char* const page = "<!DOCTYPE html><html><title>Gate</title></html>";

const Row rows[] = {
    // what providers say in words
    {429, R"({"error":{"code":"insufficient_quota","message":"You exceeded","type":"insufficient_quota"}})",
     ChatOutcome::quota_dead},
    {429, R"({"error":{"code":"rate_limit_exceeded","type":"tokens","message":"x"}})",
     ChatOutcome::rate_limited},
    {429, R"({"error":{"message":"slow down"}})", ChatOutcome::rate_limited},
    {429, R"({"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":
          "enforced_spend_limit_reached"}}})",
     ChatOutcome::quota_dead},
    {400,
     R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}})",
     ChatOutcome::quota_dead},
    {400, R"({"type":"error","error":{"type":"invalid_request_error","message":
          "You have reached your specified API usage limits"}})",
     ChatOutcome::quota_dead},
    {402,
     R"({"error":{"message":"Insufficient Balance","type":"unknown_error","code":"invalid_request_error"}})",
     ChatOutcome::quota_dead},
    {400, R"({"error":{"code":"context_length_exceeded","param":"messages","message":"x"}})",
     ChatOutcome::context_too_long},
    {400,
     R"({"error":{"code":400,"message":"x","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":4}})",
     ChatOutcome::context_too_long},
    {400, R"({"object":"error","message":"This model's maximum context length is 4096 tokens.",
          "type":"BadRequestError","param":null,"code":400})",
     ChatOutcome::context_too_long},
    {400,
     R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 4"}})",
     ChatOutcome::context_too_long},
    {400, R"({"error":{"code":"content_filter","message":"x"}})", ChatOutcome::refused},
    {400, R"({"error":{"message":"Unsupported parameter","param":"temperature"}})", ChatOutcome::bad_request},
    {404, R"({"error":{"code":"model_not_found","message":"no such model"}})", ChatOutcome::bad_request},
    {404, R"({"detail":"Not Found"})", ChatOutcome::bad_request},
    {422, R"({"detail":[{"loc":["body"],"msg":"field required"}]})", ChatOutcome::bad_request},
    {401, R"({"error":{"code":"invalid_api_key","message":"x"}})", ChatOutcome::auth_dead},
    {403, R"({"type":"error","error":{"type":"permission_error","message":"x"}})", ChatOutcome::auth_dead},
    {413, R"({"type":"error","error":{"type":"request_too_large","message":"x"}})",
     ChatOutcome::context_too_long},
    {500, R"({"type":"error","error":{"type":"api_error","message":"x"}})", ChatOutcome::overloaded},
    {503, R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
     ChatOutcome::overloaded},
    {529, R"({"type":"error","error":{"type":"overloaded_error","message":"x"}})", ChatOutcome::overloaded},
    {503, R"([{"error":{"code":503,"status":"UNAVAILABLE"}}])", ChatOutcome::overloaded},
    {429, R"([{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}])", ChatOutcome::rate_limited},
    {408, R"({"error":"timed out"})", ChatOutcome::overloaded},
    // statuses that say nothing of the error inside
    {200, R"({"error":{"code":429,"message":"x"}})", ChatOutcome::rate_limited},
    {200, R"({"error":{"code":502,"message":"x"}})", ChatOutcome::overloaded},
    {200, R"({"error":{"code":"insufficient_quota","message":"x"}})", ChatOutcome::quota_dead},
    {200, R"({"error":"something"})", ChatOutcome::overloaded},
    // no JSON
    {200, page, ChatOutcome::interference},
    {403, page, ChatOutcome::interference},
    {404, page, ChatOutcome::interference},
    {502, page, ChatOutcome::overloaded},
    {524, page, ChatOutcome::overloaded},
    {429, page, ChatOutcome::rate_limited},
    {413, page, ChatOutcome::context_too_long},
    {404, "404 page not found", ChatOutcome::bad_request},
    {403, "blocked by policy", ChatOutcome::interference},
    {401, "", ChatOutcome::auth_dead},
    {503, "", ChatOutcome::overloaded},
    {200, "", ChatOutcome::transport},
    {200, "  \n ", ChatOutcome::transport},
    {200, "hello", ChatOutcome::parse_error},
    {200, "{\"choices\":[", ChatOutcome::parse_error},
    {400, "{\"cut", ChatOutcome::bad_request},
    {302, "", ChatOutcome::interference},
    {307, page, ChatOutcome::interference},
    {407, page, ChatOutcome::interference}};

TEST(ClassifyTest, EveryRowOfTheTable) {
  for (const Row& row : rows) {
    const Finding got = classify_answer(row.status, {}, row.body, now);
    EXPECT_EQ(got.outcome, row.outcome) << row.status << " " << row.body << "\n-> " << to_text(got.outcome);
    EXPECT_FALSE(got.message.empty());
  }
}

TEST(ClassifyTest, ASpendLimitWithATimeToComeBackIsOneOfAMinute) {
  const char* body =
      R"({"error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}})";
  EXPECT_EQ(classify_answer(429, {{"retry-after", "7"}}, body, now).outcome, ChatOutcome::rate_limited);
}

TEST(ClassifyTest, RefusedParametersAreNamed) {
  const Finding got = classify_answer(
      400, {}, R"({"error":{"message":"Unsupported value","param":"temperature","code":null}})", now);
  EXPECT_EQ(got.param, "temperature");
  EXPECT_THAT(got.message, HasSubstr("Unsupported value"));
}

TEST(ClassifyTest, RetryAfterInItsThreeForms) {
  EXPECT_EQ(retry_after({{"retry-after-ms", "250"}, {"retry-after", "9"}}, now), 0.25);
  EXPECT_EQ(retry_after({{"retry-after", "1.5"}}, now), 1.5);
  EXPECT_EQ(retry_after({{"retry-after", "Fri, 15 Jan 2027 08:00:30 GMT"}}, now), 30);
  EXPECT_EQ(retry_after({{"retry-after", "Fri, 15 Jan 2027 07:00:00 GMT"}}, now), 0);
  for (const char* nonsense : {"", "soon", "-3", "nan", "1e999"})
    EXPECT_FALSE(retry_after({{"retry-after", nonsense}}, now).has_value()) << nonsense;
}

TEST(ClassifyTest, HeadersAndGatewaysAreHeard) {
  EXPECT_EQ(classify_answer(500, {{"x-should-retry", "false"}}, "", now).should_retry, false);
  EXPECT_EQ(classify_answer(400, {{"x-should-retry", "true"}}, "", now).should_retry, true);
  EXPECT_FALSE(classify_answer(500, {}, "", now).should_retry.has_value());
  EXPECT_TRUE(classify_answer(524, {}, page, now).ambiguous);
  EXPECT_FALSE(classify_answer(502, {}, page, now).ambiguous);
}

TEST(ClassifyTest, MessagesSayProblemReasonAndRemedy) {
  const Finding portal = classify_answer(302, {{"location", "http://login.site/"}}, "", now);
  EXPECT_THAT(portal.message, HasSubstr("http://login.site/"));
  EXPECT_THAT(portal.message, HasSubstr("no_proxy"));
  const Finding strange = classify_answer(200, {}, "<html>\x1b[31m" + std::string(5000, 'x'), now);
  EXPECT_LT(strange.message.size(), 600U);
  EXPECT_THAT(strange.message, Not(HasSubstr("\x1b")));
}

TEST(ClassifyTest, FailuresBelowHttp) {
  HttpResponse response;
  const auto outcome = [&](HttpFailure failure) {
    response.failure = failure;
    return classify_failure(response);
  };
  response.error = "why";
  EXPECT_EQ(outcome(HttpFailure::unreachable).outcome, ChatOutcome::transport);
  EXPECT_EQ(outcome(HttpFailure::cut).outcome, ChatOutcome::transport);
  EXPECT_EQ(outcome(HttpFailure::certificate).outcome, ChatOutcome::interference);
  EXPECT_THAT(outcome(HttpFailure::certificate).message, HasSubstr("model.ca_file"));
  EXPECT_EQ(outcome(HttpFailure::ca_file).outcome, ChatOutcome::interference);
  EXPECT_EQ(outcome(HttpFailure::too_large).outcome, ChatOutcome::parse_error);
  EXPECT_EQ(outcome(HttpFailure::stopped).outcome, ChatOutcome::stopped);
  response.proxy_status = 407;
  EXPECT_EQ(outcome(HttpFailure::proxy_refused).outcome, ChatOutcome::interference);
  response.proxy_status = 502;
  EXPECT_EQ(outcome(HttpFailure::proxy_refused).outcome, ChatOutcome::transport);
  EXPECT_FALSE(outcome(HttpFailure::gap).ambiguous);
  response.sent = true;
  EXPECT_TRUE(outcome(HttpFailure::no_content).ambiguous);
  EXPECT_TRUE(outcome(HttpFailure::gap).ambiguous);
  EXPECT_FALSE(outcome(HttpFailure::cut).ambiguous);
}

TEST(ClassifyTest, NoBodyMakesItThrow) {
  const std::string seed =
      R"([{"error":{"code":503,"message":"x","details":{"error_code":null}},"detail":[{}]}])";
  for (std::size_t i = 0; i < seed.size(); ++i)
    for (const char c : {'\0', '"', '{', '}', '[', ']', '\xFF', '9'}) {
      std::string body = seed;
      body[i] = c;
      for (const int status : {0, 200, 404, 999})
        EXPECT_NE(classify_answer(status, {}, body, now).outcome, ChatOutcome::ok);
    }
}

}  // namespace
}  // namespace noctune
