#include "coordinator/prompts/completion_prompts.hpp"

#include <gmock/gmock.h>

#include "coordinator/prompts/facts_text.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CompletionPromptsTest : public ::testing::Test {
 protected:
  CompletionPromptsTest() {
    prompt_.input.hotspot = "h";
    prompt_.input.file = "/home/somebody/h.cpp";
    prompt_.input.source = prompt_.original = "void scale(int n, double* x) { x[n] = UNKNOWN; }";
    prompt_.input.backend = "openmp";
    prompt_.input.call_site = "scale(n, d_x);";
    prompt_.input.defines = {{"TILE", "16"}};
    prompt_.device.measured_cpus = {0, 1};
    SourceFunction scale;
    scale.name = "scale";
    SourceParam n, x;
    n.name = "n";
    n.type = "int";
    x.name = "x";
    x.type = "double*";
    scale.params = {n, x};
    SourceAccess access;
    access.kind = SourceAccess::Kind::write;
    access.array = "x";
    access.index = "n";
    scale.accesses = {access};
    prompt_.facts.functions = {scale};
    prompt_.facts.unknown_names = {"UNKNOWN"};
  }
  static std::string user(const ChatRequest& request) { return request.messages.back().content; }

  PromptTemplates templates_ = value_or_throw(PromptTemplates::load());
  CompletionPrompt prompt_;
};

TEST_F(CompletionPromptsTest, TellsSourceFactsCallSiteAndLimits) {
  const ChatRequest request = complete_prompt(templates_, prompt_);
  EXPECT_EQ(request.prompt_template, "complete/1");
  EXPECT_THAT(user(request), HasSubstr("x[n] = UNKNOWN"));
  EXPECT_THAT(user(request), HasSubstr("scale(n, d_x);"));
  EXPECT_THAT(user(request), HasSubstr("TILE = 16"));
  EXPECT_THAT(user(request), HasSubstr("- function scale(int n, double* x)\n  - x: written at [n]"));
  EXPECT_THAT(user(request), HasSubstr("declared nowhere: UNKNOWN"));
  EXPECT_THAT(user(request), HasSubstr("at least 1.00 ms"));
  EXPECT_THAT(user(request), Not(HasSubstr("somebody")));
  EXPECT_THAT(user(request), Not(HasSubstr("A draft that rules made")));
  EXPECT_THAT(user(request), Not(HasSubstr("Why rules made no draft")));
  EXPECT_THAT(user(request), Not(HasSubstr("unless you give original.cpp")));
}

TEST_F(CompletionPromptsTest, TheContractIsTheSameForAllHotspots) {
  CompletionPrompt other = prompt_;
  other.input.hotspot = "g";
  other.input.source = "void g();";
  EXPECT_EQ(complete_prompt(templates_, prompt_).messages.front().content,
            complete_prompt(templates_, other).messages.front().content);
}

TEST_F(CompletionPromptsTest, ShowsTheRulesDraftAndWhyItFailed) {
  prompt_.draft = MepDraft();
  prompt_.draft->spec.entry = "scale";
  prompt_.draft->assumed = {"n is the number of points"};
  prompt_.tried = Baselined();
  prompt_.tried->report.failure = Verdict::wrong_result;
  prompt_.tried->report.message = "the original writes outside a buffer";
  const std::string text = user(complete_prompt(templates_, prompt_));
  EXPECT_THAT(text, HasSubstr("assumed: n is the number of points"));
  EXPECT_THAT(text, HasSubstr("\"entry\": \"scale\""));
  EXPECT_THAT(text, HasSubstr("refused: the original writes outside a buffer"));
  EXPECT_THAT(text, Not(HasSubstr("Why rules made no draft")));
  prompt_.draft.reset();
  prompt_.tried.reset();
  prompt_.refusal = Error{"h.cpp: no count", "nobody says how long x is"};
  EXPECT_THAT(user(complete_prompt(templates_, prompt_)),
              HasSubstr("Why rules made no draft\nh.cpp: no count"));
}

TEST_F(CompletionPromptsTest, RepairsKeepTheStablePart) {
  FailedCompletion failed;
  failed.reply = "my answer\n```json\n{}\n```";
  failed.trouble.verdict = Verdict::build_failed;
  failed.trouble.message = "the original does not compile";
  failed.trouble.diagnostics = "original.cpp:3:1: error: UNKNOWN was not declared";
  failed.repairs_left = 1;
  const ChatRequest first = complete_prompt(templates_, prompt_);
  const ChatRequest repair = complete_repair_prompt(templates_, prompt_, failed);
  EXPECT_EQ(first.stable_prefix, repair.stable_prefix);
  EXPECT_EQ(user(first).substr(0, first.stable_prefix), user(repair).substr(0, first.stable_prefix));
  EXPECT_THAT(user(repair), HasSubstr("UNKNOWN was not declared"));
  EXPECT_THAT(user(repair), HasSubstr("last repair of this kind"));
  EXPECT_THAT(user(repair), HasSubstr("my answer"));
  const Error error{"no block"};
  EXPECT_THAT(user(complete_format_prompt(templates_, prompt_, "blah", error)), HasSubstr("no block"));
}

}  // namespace
}  // namespace noctune
