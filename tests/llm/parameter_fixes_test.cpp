#include "llm/parameter_fixes.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

OrderedJson chat_body() {
  return OrderedJson::parse(R"({"model":"m","messages":[],"max_tokens":32000,"temperature":0.5,
      "thinking":{"type":"adaptive"},"stream":true,"stream_options":{"include_usage":true}})");
}

OrderedJson fixed(const ParameterFixes& fixes) {
  OrderedJson body = chat_body();
  apply_fixes(fixes, body);
  return body;
}

TEST(ParameterFixesTest, ANamedParameterIsDroppedOnce) {
  ParameterFixes fixes;
  EXPECT_TRUE(learn_from(fixes, chat_body(), "temperature", "Unsupported value"));
  EXPECT_FALSE(fixed(fixes).contains("temperature"));
  EXPECT_FALSE(learn_from(fixes, fixed(fixes), "temperature", "Unsupported value"));
}

TEST(ParameterFixesTest, TheMessageNamesItWhereTheProviderDoesNot) {
  ParameterFixes fixes;
  EXPECT_TRUE(learn_from(fixes, chat_body(), "", "adaptive thinking is not supported on this model"));
  EXPECT_FALSE(fixed(fixes).contains("thinking"));
  ParameterFixes none;
  EXPECT_FALSE(learn_from(none, chat_body(), "", "the upstream rethinking temperatures"));  // no whole words
  EXPECT_FALSE(learn_from(none, chat_body(), "messages[0].role", "no such role"));
}

TEST(ParameterFixesTest, TheOutputCapIsRenamed) {
  ParameterFixes fixes;
  EXPECT_TRUE(
      learn_from(fixes, chat_body(), "max_tokens",
                 "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."));
  EXPECT_EQ(fixed(fixes)["max_completion_tokens"], 32000);
  EXPECT_FALSE(fixed(fixes).contains("max_tokens"));
  EXPECT_FALSE(learn_from(fixes, fixed(fixes), "max_completion_tokens", "unknown"));
}

TEST(ParameterFixesTest, TheOutputCapIsLoweredToWhatTheModelAllows) {
  for (const char* message :
       {"max_tokens: 32000 > 8192, which is the maximum", "the valid range is [1, 8192]",
        "This model supports at most 8192 completion tokens"}) {
    ParameterFixes fixes;
    EXPECT_TRUE(learn_from(fixes, chat_body(), "max_tokens", message));
    EXPECT_EQ(fixed(fixes)["max_tokens"], 8192) << message;
  }
}

TEST(ParameterFixesTest, TheOutputCapMakesRoomForThePrompt) {
  const std::string message = "This model's maximum context length is 8192 tokens.";
  EXPECT_EQ(cap_within_context(message, 1000, 32000), 8192 - 1000 - 64);
  EXPECT_EQ(cap_within_context(message, 7900, 32000), 0);
  EXPECT_EQ(cap_within_context(message, 1000, 2000), 0);  // it was not the cap
  EXPECT_EQ(cap_within_context("maximum context length is", 0, 32000), 0);
}

TEST(ParameterFixesTest, CacheMarksGoEverywhere) {
  OrderedJson body = OrderedJson::parse(
      R"({"model":"m","system":[{"type":"text","cache_control":{"type":"ephemeral"}}],
      "messages":[{"content":[{"text":"x","cache_control":{"type":"ephemeral"}}]}]})");
  ParameterFixes fixes;
  EXPECT_TRUE(learn_from(fixes, body, "", "system.0.cache_control: Extra inputs are not permitted"));
  apply_fixes(fixes, body);
  EXPECT_EQ(body.dump().find("cache_control"), std::string::npos);
}

TEST(ParameterFixesTest, WithoutStreamingThereAreNoStreamOptions) {
  ParameterFixes fixes;
  EXPECT_TRUE(learn_from(fixes, chat_body(), "stream", "streaming is not supported"));
  EXPECT_FALSE(fixed(fixes).contains("stream"));
  EXPECT_FALSE(fixed(fixes).contains("stream_options"));
}

}  // namespace
}  // namespace noctune
