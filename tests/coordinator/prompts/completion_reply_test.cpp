#include "coordinator/prompts/completion_reply.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const spec_text = R"({
  "entry": "scale", // kept
  "sizes": {"n": {"default": 1000, "scale": true}},
  "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "x", "type": "double*", "count": "n", "role": "inout"},
  ]
})";
const char* const source =
    "void scale(int n, double* x) {\n  for (int i = 0; i < n; ++i) x[i] *= 2;  // twice\n}\n";

std::string block(const std::string& language, const std::string& text) {
  return "```" + language + "\n" + text + "\n```\n";
}
std::string answer(const std::string& more = "") {
  return "understood: it doubles\n- assumed: n is large\n" + block("json", spec_text) + more;
}

CompletionGround ground() {
  CompletionGround out;
  out.source = out.original = source;
  SourceFunction scale;
  scale.name = "scale";
  scale.body.begin = std::string(source).find('{');
  scale.body.end = std::string(source).rfind('}') + 1;
  out.facts.functions.push_back(scale);
  out.kernels = {"scale"};
  return out;
}

Result<MepDraft> drafted(const std::string& reply) {
  Result<CompletionReply> read = read_completion_reply(reply);
  if (!read) return Failure(read.error());
  return completion_draft(*read, ground());
}

TEST(CompletionReply, ReadsASpecAndWhatWasAssumed) {
  const MepDraft draft = value_or_throw(drafted(answer()));
  EXPECT_EQ(draft.spec.entry, "scale");
  EXPECT_EQ(draft.spec.params.size(), 2U);
  EXPECT_EQ(draft.original, source);
  EXPECT_EQ(draft.by, "model");
  EXPECT_THAT(draft.understood, ElementsAre("it doubles"));
  EXPECT_THAT(draft.assumed, ElementsAre("n is large"));
}

TEST(CompletionReply, TellsFilesByTheirFirstLineTheFenceOrTheLineAbove) {
  const CompletionReply read =
      value_or_throw(read_completion_reply(answer(block("cpp", "// context.hpp\nstruct P { int a; };") +
                                                  block("cpp entry.cpp", "extern \"C\" void scale();") +
                                                  "**`inputs.cpp`**\n\n" + block("cpp", "int inputs;"))));
  EXPECT_THAT(read.context, HasSubstr("struct P"));
  EXPECT_THAT(read.entry, HasSubstr("void scale"));
  EXPECT_THAT(read.inputs, HasSubstr("int inputs"));
  EXPECT_TRUE(read.check.empty());
}

TEST(CompletionReply, TheEntryStandsBehindTheOriginal) {
  const MepDraft draft = value_or_throw(drafted(answer(block("cpp", "// entry.cpp\nvoid more();"))));
  EXPECT_EQ(draft.original.rfind(source, 0), 0U);
  EXPECT_THAT(draft.original, HasSubstr("void more();"));
}

TEST(CompletionReply, WhatHasNotTheFormIsRefusedWithAReason) {
  const auto why = [](const std::string& reply) { return read_completion_reply(reply).error().text(); };
  EXPECT_THAT(why("I cannot do that."), HasSubstr("no block ```json"));
  EXPECT_THAT(why(answer(block("cpp", "int stray;"))), HasSubstr("does not say which file"));
  EXPECT_THAT(why("```json\n" + std::string(spec_text)), HasSubstr("cut off"));
  EXPECT_THAT(why(std::string(500'000, 'x')), HasSubstr("longer than"));
}

TEST(CompletionReply, AnInvalidSpecNamesItsKey) {
  std::string reply = answer();
  reply.replace(reply.find("inout"), 5, "input");
  const Result<MepDraft> draft = drafted(reply);
  ASSERT_FALSE(draft);
  EXPECT_THAT(draft.error().text(), HasSubstr("role"));
  EXPECT_FALSE(drafted(block("json", "{\"params\": " + std::string(100'000, '[') + "}")));
  EXPECT_FALSE(drafted(block("json", "{\"params\": 1, }")));
}

// K(0) is what all versions are held to: nobody but the application may have written it.
TEST(CompletionReply, TheKernelsStayAsTheyAre) {
  const std::string moved =
      "// original.cpp\nstatic void scale(int n, double* x)\n{ for (int i = 0; i < n; ++i)\n x[i] *= 2; }";
  EXPECT_TRUE(drafted(answer(block("cpp", moved))));
  std::string changed = moved;
  changed.replace(changed.find("*= 2"), 4, "*= 3");
  const Result<MepDraft> draft = drafted(answer(block("cpp", changed)));
  ASSERT_FALSE(draft);
  EXPECT_THAT(draft.error().text(), HasSubstr("the body of scale"));
}

}  // namespace
}  // namespace noctune
