// Hotspots without a spec, completed on fakes: no process, no clock, no disk.
#include "coordinator/completion.hpp"

#include <gmock/gmock.h>

#include "coordinator/greedy_strategy.hpp"
#include "coordinator/tuning.hpp"
#include "fakes/fake_chat.hpp"
#include "fakes/fake_services.hpp"
#include "fakes/run_all.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

const char* const source =
    "extern \"C\" void scale(int n, double* x) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n";

std::string spec_of(const std::string& init) {
  return R"({"entry": "scale", "sizes": {"n": {"default": 1000, "scale": true}}, "params": [
    {"name": "n", "type": "int", "value": "n"},
    {"name": "x", "type": "double*", "count": "n", "role": "inout", "init": ")" +
         init + "\"}]}";
}
std::string answer(const std::string& init) {
  return "assumed: contents are " + init + "\n```json\n" + spec_of(init) + "\n```\n";
}

class CompletionTest : public ::testing::Test {
 protected:
  CompletionTest() : chat_(io_) {
    loaded_.task.mep.hotspot = "h";
    loaded_.task.search.rounds = 0;
    loaded_.open = OpenMep();
    loaded_.open->input.hotspot = "h";
    loaded_.open->input.file = "h.cpp";
    loaded_.open->input.source = source;
    loaded_.open->input.backend = "openmp";
    loaded_.open->by_model = true;
    loaded_.open->refusal = Error{"h.cpp: no rule knows how long x is"};
    templates_ = std::make_shared<PromptTemplates>(value_or_throw(PromptTemplates::load()));
    evaluation_.on_prepare = [this](const PrepareTask& task) { return baselined(task); };
  }

  // The baseline refuses MEPs by the contents of x; `refusals_` says how.
  MepReport baselined(const PrepareTask& task) {
    MepReport out = evaluation_.report;
    const ParamSpec& x = task.mep.spec.params.at(1);
    const auto found = refusals_.find(x.init ? to_text(x.init->kind) : "");
    if (found == refusals_.end()) return out;
    out = found->second;
    return out;
  }
  void refuse(const std::string& init, Verdict verdict, const std::string& message,
              const std::string& diagnostics = "") {
    MepReport out;
    out.failure = verdict;
    out.message = message;
    out.diagnostics = diagnostics;
    refusals_[init] = out;
  }
  void rules_draft(const std::string& init) {
    MepDraft draft;
    draft.spec = read_mep_spec(value_or_throw(parse_json(spec_of(init), "draft")));
    draft.original = source;
    draft.by = "rules";
    draft.understood = {"it scales"};
    loaded_.task.mep.spec = draft.spec;
    loaded_.task.mep.original = source;
    loaded_.open->draft = draft;
    loaded_.open->refusal.reset();
  }
  void answers(int n, const std::string& text) {
    chat_.script(slot_text(completion_slot(loaded_.open->input, n)), text);
  }

  TuningResult tune(bool with_model = true) {
    SlotChat slots(chat_, memory_, 1, [this](const std::string& text) { told_.push_back(text); });
    TuningServices services{io_,
                            evaluation_,
                            memory_,
                            {Arm{}},
                            [](const Arm& arm, const ArmGround& ground, const std::vector<ArmResult>&) {
                              ArmPlan out;
                              out.arm = arm;
                              out.strategy =
                                  std::make_unique<GreedyStrategy>(ground.task.search, ground.original.id);
                              return out;
                            },
                            [] { return false; },
                            with_model ? &slots : nullptr,
                            templates_};
    TuningResult result;
    auto main = [&]() -> Task<void> {
      LoadedHotspot loaded = loaded_;
      result = co_await tune_hotspot(services, 1, std::move(loaded));
    };
    run_all(io_, main());
    return result;
  }
  std::string prompt(std::size_t n) const { return chat_.asked().at(n).second.messages.back().content; }

  asio::io_context io_;
  FakeEvaluation evaluation_;
  FakeMemory memory_;
  FakeChat chat_;
  LoadedHotspot loaded_;
  std::map<std::string, MepReport> refusals_;
  std::shared_ptr<const PromptTemplates> templates_;
  std::vector<std::string> told_;
};

TEST_F(CompletionTest, TheRulesDraftIsTakenWhereItHolds) {
  rules_draft("uniform");
  const TuningResult result = tune();
  EXPECT_TRUE(result.mep.usable);
  EXPECT_EQ(result.completed_by, "rules");
  EXPECT_TRUE(chat_.asked().empty());
  EXPECT_THAT(memory_.events, Contains("understood (rules): it scales"));
  EXPECT_EQ(memory_.completed_by, "rules");
  ASSERT_EQ(memory_.meps.size(), 1U);
  EXPECT_EQ(memory_.meps[0].original, source);
}

TEST_F(CompletionTest, TheModelIsAskedWhereRulesFail) {
  answers(0, answer("uniform"));
  const TuningResult result = tune();
  EXPECT_TRUE(result.mep.usable);
  EXPECT_EQ(result.completed_by, "model");
  EXPECT_EQ(result.entry, "scale");
  EXPECT_THAT(prompt(0), HasSubstr("no rule knows how long x is"));
  EXPECT_THAT(memory_.events, Contains("assumed (model): contents are uniform"));
  EXPECT_EQ(memory_.model_answers, 1);
}

TEST_F(CompletionTest, TheModelSeesADraftThatTheBaselineRefuses) {
  rules_draft("zeros");
  refuse("zeros", Verdict::wrong_result, "the output x does not change when the inputs do");
  answers(0, answer("uniform"));
  const TuningResult result = tune();
  EXPECT_EQ(result.completed_by, "model");
  EXPECT_THAT(prompt(0), HasSubstr("does not change when the inputs do"));
  EXPECT_THAT(prompt(0), HasSubstr("\"init\": \"zeros\""));
}

TEST_F(CompletionTest, WhatIsRefusedGoesBackAtMostTwiceAKind) {
  refuse("zeros", Verdict::build_failed, "does not compile", "error: first");
  refuse("index", Verdict::build_failed, "does not compile", "error: second");
  refuse("sorted", Verdict::build_failed, "does not compile", "error: third");
  answers(0, answer("zeros"));
  answers(1, answer("index"));
  answers(2, answer("sorted"));
  answers(3, answer("uniform"));
  const TuningResult result = tune();
  EXPECT_FALSE(result.mep.usable);
  EXPECT_EQ(chat_.asked().size(), 3U);
  EXPECT_THAT(prompt(1), HasSubstr("error: first"));
  EXPECT_THAT(prompt(2), HasSubstr("error: second"));
  EXPECT_THAT(result.reason, HasSubstr("what helps: a call site"));
}

TEST_F(CompletionTest, BuildingAndRunningAreCountedApart) {
  refuse("zeros", Verdict::build_failed, "does not compile", "error: first");
  refuse("index", Verdict::run_failed, "it crashes");
  refuse("sorted", Verdict::unstable, "it is noisy");
  answers(0, answer("zeros"));
  answers(1, answer("index"));
  answers(2, "```json\n{\"params\": 3}\n```");
  answers(3, answer("sorted"));
  answers(4, answer("uniform"));
  EXPECT_TRUE(tune().mep.usable);
  EXPECT_EQ(chat_.asked().size(), 5U);
}

TEST_F(CompletionTest, TheSameErrorTwiceEndsIt) {
  refuse("zeros", Verdict::run_failed, "it crashes at n=100");
  answers(0, answer("zeros"));
  answers(1, answer("zeros"));
  EXPECT_FALSE(tune().mep.usable);
  EXPECT_EQ(chat_.asked().size(), 2U);
}

TEST_F(CompletionTest, OneAnswerThatCannotBeReadIsAskedForAgain) {
  answers(0, "I would rather not.");
  answers(1, answer("uniform"));
  EXPECT_TRUE(tune().mep.usable);
  EXPECT_EQ(chat_.asked().at(1).second.prompt_template, "complete_format/1");
  chat_.script(slot_text(completion_slot(loaded_.open->input, 1)), "No.");
}

TEST_F(CompletionTest, TwoThatCannotBeReadEndIt) {
  answers(0, "I would rather not.");
  answers(1, "No.");
  const TuningResult result = tune();
  EXPECT_FALSE(result.mep.usable);
  EXPECT_EQ(chat_.asked().size(), 2U);
  EXPECT_THAT(result.reason, HasSubstr("cannot be read"));
}

// A model's code meets the policy that versions meet.
TEST_F(CompletionTest, CodeOfAModelMayDoNoMoreThanAVersion) {
  answers(0, answer("uniform") + "```cpp\n// entry.cpp\n#include \"/etc/passwd\"\n```\n");
  answers(1, answer("index"));
  evaluation_.report.undefined_symbols = {"system"};
  answers(2, answer("sorted"));
  EXPECT_FALSE(tune().mep.usable);
  EXPECT_THAT(prompt(1), HasSubstr("passwd"));
  EXPECT_THAT(prompt(2), HasSubstr("uses system"));
}

// A resumed run asks nothing again and builds no MEP again that was refused.
TEST_F(CompletionTest, ResumingAsksNothingTwice) {
  refuse("zeros", Verdict::run_failed, "it crashes");
  answers(0, answer("zeros"));
  answers(1, answer("uniform"));
  EXPECT_TRUE(tune().mep.usable);
  const int prepared = evaluation_.prepares;
  const TuningResult again = tune();
  EXPECT_TRUE(again.mep.usable);
  EXPECT_EQ(again.completed_by, "model");
  EXPECT_EQ(chat_.asked().size(), 2U);
  EXPECT_EQ(evaluation_.prepares, prepared);
}

// Whoever adds a call site asks a new question.
TEST_F(CompletionTest, OtherInputIsAskedAnew) {
  const CallSlot before = completion_slot(loaded_.open->input, 0);
  loaded_.open->input.call_site = "scale(n, x);";
  EXPECT_NE(slot_text(before), slot_text(completion_slot(loaded_.open->input, 0)));
}

TEST_F(CompletionTest, WithoutAModelTheHotspotIsRefusedWithTheReason) {
  const TuningResult result = tune(false);
  EXPECT_FALSE(result.mep.usable);
  EXPECT_TRUE(result.completed_by.empty());
  EXPECT_THAT(result.reason, HasSubstr("no rule knows how long x is"));
  EXPECT_EQ(evaluation_.prepares, 0);
  EXPECT_TRUE(memory_.meps.empty());
}

TEST_F(CompletionTest, AModelThatIsGoneLeavesTheReasonOfTheRules) {
  chat_.otherwise(failed_reply(ChatOutcome::over_budget, "the budget is spent"));
  const TuningResult result = tune();
  EXPECT_THAT(result.reason, HasSubstr("no rule knows how long x is"));
  EXPECT_THAT(result.reason, HasSubstr("the budget is spent"));
}

TEST_F(CompletionTest, OurOwnTroubleIsNoReasonToAsk) {
  rules_draft("zeros");
  refuse("zeros", Verdict::lost, "the evaluator gave no answer");
  tune();
  EXPECT_TRUE(chat_.asked().empty());
}

}  // namespace
}  // namespace noctune
