// The model in the loop, with scripted answers and evaluations: no process, no network, no clock.
#include "coordinator/model_proposer.hpp"

#include <gmock/gmock.h>

#include "coordinator/greedy_strategy.hpp"
#include "coordinator/sampling_strategy.hpp"
#include "coordinator/tuning.hpp"
#include "fakes/fake_chat.hpp"
#include "fakes/fake_services.hpp"
#include "fakes/run_all.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* original_source =
    "extern \"C\" void scale(int n, double* x) { for (int i = 0; i < n; ++i) x[i] *= 2; }";

std::string version(const std::string& mark) {
  return "// noctune: scale\nextern \"C\" void scale(int n, double* x) {\n  // " + mark +
         "\n  for (int i = 0; i < n; ++i) x[i] *= " + std::to_string(2 + mark.size()) + ";\n}\n";
}

std::string answer(const std::string& mark) {
  return "summary: " + mark + "\n\n```cpp\n" + version(mark) + "```\n";
}

constexpr const char* plan_of_two = R"(```json
[{"name": "first idea", "mechanism": "parallelism", "what": "threads", "expected_gain": 2},
 {"name": "second idea", "mechanism": "memory access", "what": "order", "expected_gain": 3}]
```)";

class ModelProposerTest : public ::testing::Test {
 protected:
  ModelProposerTest() : chat_(io_) {
    task_.mep.hotspot = "h";
    task_.mep.original = original_source;
    task_.mep.spec.entry = "scale";
    ParamSpec n, x;
    n.name = "n";
    n.type = "int";
    n.value = "n";
    x.name = "x";
    x.type = "double*";
    x.count = "n";
    x.role = Role::inout;
    task_.mep.spec.params = {n, x};
    task_.mep.spec.sizes = {SizeSpec{"n", 100}};
    task_.search.rounds = 1;
    task_.search.candidates = 2;
    task_.search.confirm_pairs = 2;
    task_.search.repairs = 2;
    evaluation_.behaviour[original_source] = {};
    chat_.script("h/loop/0/1/0/0/plan", plan_of_two);
    templates_ = std::make_shared<PromptTemplates>(value_or_throw(PromptTemplates::load()));
  }

  // The source that an answer becomes.
  std::string source_of(const std::string& mark) {
    return value_or_throw(read_version(answer(mark), task_.mep)).source;
  }
  void behaves(const std::string& mark, FakeEvaluation::Behaviour how) {
    evaluation_.behaviour[source_of(mark)] = how;
  }

  TuningResult tune(std::vector<Arm> arms = {Arm{}}) {
    TuningServices services{
        io_,
        evaluation_,
        memory_,
        std::move(arms),
        [this](const Arm& arm, const ArmGround& ground, const std::vector<ArmResult>&) {
          ArmPlan out;
          out.arm = arm;
          if (arm.name == "loop")
            out.strategy = std::make_unique<GreedyStrategy>(ground.task.search, ground.original.id);
          else
            out.strategy = std::make_unique<SamplingStrategy>(ground.original.id, 1, arm.name);
          ModelProposerSetup setup{io_,
                                   templates_,
                                   arm,
                                   ground,
                                   evaluation_.devices().front(),
                                   {},
                                   [this](bool, const std::string& text) { told_.push_back(text); }};
          SlotChat slots(chat_, memory_, 1, [this](const std::string& text) { told_.push_back(text); });
          out.proposers.push_back(std::make_unique<ModelProposer>(std::move(setup), std::move(slots)));
          if (with_fallback_)
            out.fallback = std::make_unique<ScriptedProposer>(std::vector<std::string>{"by rule"});
          return out;
        },
        [] { return false; }};
    TuningResult result;
    auto main = [&]() -> Task<void> {
      LoadedHotspot loaded{task_, {}};
      result = co_await tune_hotspot(services, 1, std::move(loaded));
    };
    run_all(io_, main());
    return result;
  }

  const Candidate* written(const std::string& mark) {
    const std::string source = source_of(mark);
    for (const Candidate& one : memory_.candidates)
      if (one.source == source) return &one;
    return nullptr;
  }

  asio::io_context io_;
  FakeChat chat_;
  FakeEvaluation evaluation_;
  FakeMemory memory_;
  PrepareTask task_;
  std::shared_ptr<PromptTemplates> templates_;
  std::vector<std::string> told_;
  bool with_fallback_ = false;
};

TEST_F(ModelProposerTest, PlanAndVersionsAreAskedForWithTheProfileOfTheirBase) {
  tune();
  ASSERT_GE(chat_.asked().size(), 3u);
  for (const auto& [slot, request] : chat_.asked())
    if (slot.purpose == "plan" || slot.purpose == "write") {
      EXPECT_THAT(request.messages.back().content, HasSubstr("Bound by waiting for original."))
          << slot.purpose;
    }
  const auto profiles = [this] {
    return std::count_if(evaluation_.tasks.begin(), evaluation_.tasks.end(),
                         [](const EvaluationTask& task) { return task.purpose == Purpose::profile; });
  };
  EXPECT_EQ(profiles(), 1);
  tune();  // found in the memory
  EXPECT_EQ(profiles(), 1);
}

TEST_F(ModelProposerTest, ProfilesCanBeSwitchedOffAndMayFail) {
  task_.search.profile = false;
  tune();
  for (const EvaluationTask& task : evaluation_.tasks) EXPECT_NE(task.purpose, Purpose::profile);
  for (const auto& [slot, request] : chat_.asked())
    EXPECT_THAT(request.messages.back().content, Not(HasSubstr("Bound by"))) << slot.purpose;
}

TEST_F(ModelProposerTest, APlanBecomesVersionsAndTheBestWins) {
  chat_.script("h/loop/0/1/0/0/write", answer("a"));
  chat_.script("h/loop/0/1/1/0/write", answer("bb"));
  behaves("a", {2});
  behaves("bb", {3});
  const TuningResult result = tune();
  ASSERT_FALSE(result.main()->finalists.empty());
  EXPECT_EQ(result.main()->finalists.front().candidate.source, source_of("bb"));
  const Candidate* best = written("bb");
  ASSERT_NE(best, nullptr);
  EXPECT_EQ(best->proposer, "model");
  EXPECT_EQ(best->kind, "memory access");
  EXPECT_EQ(best->strategies, std::vector<std::string>{"second idea"});
  EXPECT_EQ(best->predicted_gain, 3);
  EXPECT_GT(best->call, 0);
  EXPECT_EQ(result.main()->usage.calls, 3);
  EXPECT_EQ(result.main()->usage.tokens, 120);
  EXPECT_EQ(memory_.calls.at("h/loop/0/1/0/0/write").reading, "as asked");
}

TEST_F(ModelProposerTest, AFailureGoesBackAndTheRepairCounts) {
  chat_.script("h/loop/0/1/0/0/write", answer("broken"));
  chat_.script("h/loop/0/1/0/1/repair", answer("mended at last"));
  chat_.script("h/loop/0/1/1/0/write", answer("x"));
  behaves("broken", {1, Verdict::build_failed});
  behaves("mended at last", {4});
  const TuningResult result = tune();
  const Candidate *broken = written("broken"), *mended = written("mended at last");
  ASSERT_NE(mended, nullptr);
  EXPECT_EQ(mended->repair_of, memory_.ids.at(broken->sha));
  EXPECT_EQ(result.main()->finalists.front().candidate.source, source_of("mended at last"));
}

TEST_F(ModelProposerTest, TheSameErrorTwiceEndsRepair) {
  chat_.script("h/loop/0/1/0/0/write", answer("broken"));
  chat_.script("h/loop/0/1/0/1/repair", answer("still broken"));
  chat_.script("h/loop/0/1/1/0/write", answer("x"));
  behaves("broken", {1, Verdict::build_failed});
  behaves("still broken", {1, Verdict::build_failed});
  tune();
  EXPECT_EQ(chat_.calls("h/loop/0/1/0/1/repair"), 1);
  EXPECT_EQ(chat_.calls("h/loop/0/1/0/2/repair"), 0);
}

TEST_F(ModelProposerTest, AnAnswerThatCannotBeReadIsAskedForOnceMoreOutsideTheRepairs) {
  task_.search.repairs = 0;
  chat_.script("h/loop/0/1/0/0/write", "I would use threads.");
  chat_.script("h/loop/0/1/0/0/format", answer("now in a block"));
  chat_.script("h/loop/0/1/1/0/write", "no code");
  chat_.script("h/loop/0/1/1/0/format", "still no code");
  behaves("now in a block", {2});
  const TuningResult result = tune();
  ASSERT_EQ(result.main()->finalists.size(), 1U);
  EXPECT_EQ(chat_.calls("h/loop/0/1/1/0/format"), 1);
  EXPECT_THAT(memory_.calls.at("h/loop/0/1/0/0/write").reading, HasSubstr("refused"));
  EXPECT_THAT(memory_.calls.at("h/loop/0/1/0/0/format").reading, HasSubstr("as asked"));
}

TEST_F(ModelProposerTest, AnUnreadablePlanIsAskedForTwiceAndThenGoesByMechanisms) {
  task_.mep.hotspot = "plain";
  chat_.script("plain/loop/0/1/0/0/plan", "no idea");
  chat_.script("plain/loop/0/1/0/1/plan", "still none");
  chat_.script("plain/loop/0/1/0/0/write", answer("a"));
  chat_.script("plain/loop/0/1/1/0/write", answer("bb"));
  behaves("a", {2});
  behaves("bb", {3});
  const TuningResult result = tune();
  EXPECT_EQ(chat_.calls("plain/loop/0/1/0/1/plan"), 1);
  EXPECT_EQ(result.main()->finalists.size(), 2U);
  EXPECT_NE(written("a")->kind, written("bb")->kind);
}

TEST_F(ModelProposerTest, ADeadBudgetHandsOverToTheFallbackAndSaysSoOnce) {
  with_fallback_ = true;
  evaluation_.behaviour["by rule"] = {1.5};
  chat_.otherwise(failed_reply(ChatOutcome::over_budget, "5.00 of 5.00 USD are spent"));
  task_.mep.hotspot = "other";
  const TuningResult result = tune();
  ASSERT_EQ(result.main()->finalists.size(), 1U);
  EXPECT_EQ(result.main()->finalists.front().candidate.source, "by rule");
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_THAT(told_.front(), HasSubstr("goes on with rules"));
  EXPECT_EQ(chat_.asked().size(), 1U);
}

TEST_F(ModelProposerTest, AResumeAsksNothingTwiceAndDecidesTheSame) {
  chat_.script("h/loop/0/1/0/0/write", answer("a"));
  chat_.script("h/loop/0/1/1/0/write", answer("bb"));
  behaves("a", {2});
  behaves("bb", {3});
  const TuningResult first = tune();
  const std::size_t asked = chat_.asked().size();
  const std::vector<std::string> decisions = memory_.decisions;
  const TuningResult second = tune();
  EXPECT_EQ(chat_.asked().size(), asked);
  EXPECT_EQ(second.main()->finalists.front().candidate.sha, first.main()->finalists.front().candidate.sha);
  EXPECT_EQ(second.main()->usage.tokens, first.main()->usage.tokens);
  EXPECT_EQ(std::vector<std::string>(memory_.decisions.begin() + static_cast<long>(decisions.size()),
                                     memory_.decisions.end()),
            decisions);
}

TEST_F(ModelProposerTest, WaitingAnswersEndTheHotspotForNow) {
  chat_.script("h/loop/0/1/0/0/write", failed_reply(ChatOutcome::waiting));
  chat_.script("h/loop/0/1/1/0/write", answer("bb"));
  behaves("bb", {3});
  const TuningResult result = tune();
  EXPECT_TRUE(result.waiting);
  EXPECT_TRUE(result.stopped);
  EXPECT_NE(written("bb"), nullptr);  // what was there has been judged
}

TEST_F(ModelProposerTest, TheDirectArmIsToldNothingAndSharesNothing) {
  chat_.script("h/loop/0/1/0/0/write", answer("a"));
  chat_.script("h/loop/0/1/1/0/write", answer("bb"));
  chat_.script("h/direct/0/1/0/0/write", answer("a"));
  behaves("a", {2});
  behaves("bb", {3});
  const TuningResult result = tune({Arm{"loop", 0}, Arm{"direct", 0}});
  ASSERT_EQ(result.arms.size(), 2U);
  EXPECT_EQ(result.arms[1].usage.calls, 1);
  ASSERT_FALSE(result.arms[1].finalists.empty());  // measured anew, not a duplicate of the loop's
  const std::string prompt = memory_.calls.at("h/direct/0/1/0/0/write").request.messages.back().content;
  EXPECT_THAT(prompt, Not(HasSubstr("second idea")));
  EXPECT_THAT(prompt, Not(HasSubstr("bb")));
}

}  // namespace
}  // namespace noctune
