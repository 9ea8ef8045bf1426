#include "llm/wire.hpp"

#include <gmock/gmock.h>

#include "llm/json_field.hpp"

namespace noctune {
namespace {

using testing::HasSubstr;
using testing::Not;

ChatRequest question() {
  ChatRequest out;
  out.messages = {{ChatRole::system, "rules"},
                  {ChatRole::user, "stable part, then the rest"},
                  {ChatRole::assistant, "  \n"},
                  {ChatRole::user, "again"}};
  out.stable_prefix = 11;
  return out;
}

ModelSettings settings_of(const std::string& provider, const std::string& flavour = "") {
  ModelSettings out;
  out.provider = provider;
  out.flavour = flavour;
  if (!flavour.empty()) out.base_url = "http://host/v1/";
  return out;
}

TEST(WireTest, ChatCompletionsAsOpenAiWantsThem) {
  ModelSettings settings = settings_of("openai");
  settings.effort = "high";
  const WireCall call = wire_call(settings, question(), "m", 500);
  EXPECT_EQ(call.url, "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(call.key_header + " " + call.key_prefix, "Authorization Bearer ");
  EXPECT_EQ(call.body["max_completion_tokens"], 500);
  EXPECT_FALSE(call.body.contains("max_tokens"));
  EXPECT_EQ(call.body["reasoning_effort"], "high");
  EXPECT_FALSE(call.body.contains("temperature"));
  EXPECT_EQ(call.body["stream"], true);
  EXPECT_EQ(call.body["stream_options"]["include_usage"], true);
  ASSERT_EQ(call.body["messages"].size(), 3U);  // no empty turns
  EXPECT_EQ(call.body["messages"][0]["role"], "system");
}

TEST(WireTest, FlavoursHaveTheirOwnWords) {
  struct Row {
    const char* flavour;
    const char* header;
    const char* cap;
    const char* effort;
  };
  const Row rows[] = {{"azure", "api-key", "max_completion_tokens", "/reasoning_effort"},
                      {"gemini", "Authorization", "max_tokens", "/reasoning_effort"},
                      {"vllm", "Authorization", "max_tokens", "/reasoning_effort"},
                      {"sglang", "Authorization", "max_tokens", "/reasoning_effort"},
                      {"llamacpp", "Authorization", "max_tokens", "/chat_template_kwargs/reasoning_effort"},
                      {"ollama", "Authorization", "max_tokens", "/reasoning_effort"},
                      {"deepseek", "Authorization", "max_tokens", "/thinking/type"},
                      {"qwen", "Authorization", "max_tokens", "/enable_thinking"}};
  for (const Row& row : rows) {
    ModelSettings settings = settings_of("openai", row.flavour);
    settings.effort = "low";
    const WireCall call = wire_call(settings, question(), "m", 500);
    EXPECT_EQ(call.url, "http://host/v1/chat/completions");
    EXPECT_EQ(call.key_header, row.header) << row.flavour;
    EXPECT_EQ(call.body[row.cap], 500) << row.flavour;
    EXPECT_TRUE(call.body.contains(OrderedJson::json_pointer(row.effort))) << row.flavour;
  }
}

TEST(WireTest, AddressesKeepTheirQuery) {
  EXPECT_EQ(joined_url("https://a/openai/deployments/d?api-version=1", "/chat/completions"),
            "https://a/openai/deployments/d/chat/completions?api-version=1");
  ModelSettings settings = settings_of("anthropic");
  EXPECT_EQ(wire_call(settings, question(), "m", 1).url, "https://api.anthropic.com/v1/messages");
  settings.base_url = "https://proxy/anthropic/v1/";
  EXPECT_EQ(wire_call(settings, question(), "m", 1).url, "https://proxy/anthropic/v1/messages");
}

TEST(WireTest, ResponsesTakeInstructionsAndItems) {
  ModelSettings settings = settings_of("openai-responses");
  settings.temperature = 0.5;
  settings.effort = "low";
  const WireCall call = wire_call(settings, question(), "m", 500);
  EXPECT_EQ(call.url, "https://api.openai.com/v1/responses");
  EXPECT_EQ(call.body["instructions"], "rules");
  EXPECT_EQ(call.body["input"].size(), 2U);
  EXPECT_EQ(call.body["max_output_tokens"], 500);
  EXPECT_EQ(call.body["temperature"], 0.5);
  EXPECT_EQ(call.body["reasoning"]["effort"], "low");
  EXPECT_EQ(call.body["store"], false);
}

TEST(WireTest, AnthropicMarksWhatCanBeCached) {
  const WireCall call = wire_call(settings_of("anthropic"), question(), "m", 0);
  EXPECT_EQ(call.key_header, "x-api-key");
  EXPECT_EQ(call.headers.at(0).first, "anthropic-version");
  EXPECT_GT(call.body["max_tokens"], 0);
  EXPECT_EQ(call.body["system"][0]["cache_control"]["type"], "ephemeral");
  const auto& first = call.body["messages"][0]["content"];
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0]["text"], "stable part");
  EXPECT_TRUE(first[0].contains("cache_control"));
  EXPECT_EQ(first[1]["text"], ", then the rest");
  EXPECT_FALSE(first[1].contains("cache_control"));
  EXPECT_FALSE(call.body["messages"][1]["content"][0].contains("cache_control"));
}

TEST(WireTest, ACachedPrefixNeverSplitsACharacter) {
  ChatRequest request;
  request.messages = {{ChatRole::user, "ab\xE2\x82\xAC cd"}};
  request.stable_prefix = 4;
  const WireCall call = wire_call(settings_of("anthropic"), request, "m", 9);
  EXPECT_EQ(call.body["messages"][0]["content"][0]["text"], "ab");
  request.stable_prefix = 400;
  EXPECT_EQ(wire_call(settings_of("anthropic"), request, "m", 9).body["messages"][0]["content"].size(), 1U);
}

TEST(WireTest, AnthropicThinksByEffort) {
  ModelSettings settings = settings_of("anthropic");
  settings.effort = "medium";
  const WireCall call = wire_call(settings, question(), "m", 9);
  EXPECT_EQ(call.body["thinking"]["type"], "adaptive");
  EXPECT_EQ(call.body["output_config"]["effort"], "medium");
  settings.effort = "none";
  EXPECT_EQ(wire_call(settings, question(), "m", 9).body["thinking"]["type"], "disabled");
}

TEST(WireTest, RecordsKeepParametersWithoutTheConversation) {
  for (const char* provider : {"openai", "openai-responses", "anthropic"}) {
    const std::string kept = parameters_of(wire_call(settings_of(provider), question(), "m", 9).body);
    EXPECT_THAT(kept, HasSubstr("\"model\":\"m\""));
    EXPECT_THAT(kept, Not(HasSubstr("rules")));
    EXPECT_THAT(kept, Not(HasSubstr("stable")));
  }
}

TEST(WireTest, ThoughtsAreNoAnswer) {
  EXPECT_EQ(without_reasoning("<think>a</think>\n\nb"), "b");
  EXPECT_EQ(without_reasoning("a</think>b"), "b");  // the template wrote the opening tag
  EXPECT_EQ(without_reasoning("<think>quoted </think> in it</think>c"), "c");
  EXPECT_EQ(without_reasoning(" <think>never ended"), "");
  EXPECT_EQ(without_reasoning("no <think> here"), "no <think> here");
}

TEST(JsonFieldTest, WhateverIsNotThereReadsAsNothing) {
  const Json json = parsed_reply(R"({"a":null,"b":"x","c":3,"d":-4,"e":1e300,"f":[7],"g":429})");
  EXPECT_EQ(text_field(json, "a"), "");
  EXPECT_EQ(text_field(json, "b"), "x");
  EXPECT_EQ(text_field(json, "c"), "");
  EXPECT_EQ(text_field(field(json, "f"), "b"), "");
  EXPECT_EQ(count_field(json, "c"), 3);
  EXPECT_EQ(count_field(json, "d"), 0);
  EXPECT_EQ(count_field(json, "e"), 0);
  EXPECT_TRUE(element(field(json, "f"), 1).is_null());
  EXPECT_EQ(word_field(json, "g"), "429");
  EXPECT_TRUE(parsed_reply("{\"x\":\"\xFF\"}").is_object());
  EXPECT_TRUE(parsed_reply("{\"x\"").is_discarded());
}

}  // namespace
}  // namespace noctune
