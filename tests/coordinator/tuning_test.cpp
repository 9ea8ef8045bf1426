// Whole campaigns of one hotspot, decided on fakes: no process, no clock, no disk.
#include "coordinator/tuning.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "coordinator/greedy_strategy.hpp"
#include "fakes/fake_services.hpp"
#include "fakes/run_all.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class TuningTest : public ::testing::Test {
 protected:
  TuningTest() {
    task_.mep.hotspot = "h";
    task_.mep.original = "original";
    task_.search.rounds = 3;
    task_.search.candidates = 2;
    task_.search.confirm_pairs = 3;
    evaluation_.behaviour["original"] = {};
  }

  TuningResult tune(std::vector<std::string> sources) {
    TuningServices services{
        io_,
        evaluation_,
        memory_,
        {Arm{}},
        [sources](const Arm& arm, const ArmGround& ground, const std::vector<ArmResult>&) {
          ArmPlan out;
          out.arm = arm;
          out.strategy = std::make_unique<GreedyStrategy>(ground.task.search, ground.original.id);
          out.proposers.push_back(std::make_unique<ScriptedProposer>(sources));
          return out;
        },
        [this] { return stopping_; }};
    TuningResult result;
    auto main = [&]() -> Task<void> {
      LoadedHotspot loaded{task_, {}};
      result = co_await tune_hotspot(services, 1, std::move(loaded));
    };
    run_all(io_, main());
    return result;
  }

  asio::io_context io_;
  FakeEvaluation evaluation_;
  FakeMemory memory_;
  PrepareTask task_;
  bool stopping_ = false;
};

TEST_F(TuningTest, TheBestOfARoundIsTheNextBaseline) {
  evaluation_.behaviour["a"] = {2};
  evaluation_.behaviour["b"] = {3};
  evaluation_.behaviour["c"] = {6};
  evaluation_.behaviour["d"] = {1.5};
  const TuningResult result = tune({"a", "b", "c", "d"});
  ASSERT_FALSE(result.main()->finalists.empty());
  EXPECT_EQ(result.main()->finalists.front().candidate.source, "c");
  EXPECT_NEAR(result.main()->finalists.front().speedup, 6, 0.01);
  // Round 2 raced against b, the winner of round 1.
  // Confirmations are against K(0) alone.
  for (const EvaluationTask& task : evaluation_.tasks) {
    const bool late = task.candidate.source == "c" || task.candidate.source == "d";
    EXPECT_EQ(task.reference.source, task.purpose == Purpose::screen && late ? "b" : "original");
  }
}

TEST_F(TuningTest, AFasterVersionThatIsWrongNeverWins) {
  evaluation_.behaviour["wrong"] = {100, Verdict::wrong_result};
  evaluation_.behaviour["right"] = {1.5};
  const TuningResult result = tune({"wrong", "right"});
  ASSERT_EQ(result.main()->finalists.size(), 1U);
  EXPECT_EQ(result.main()->finalists.front().candidate.source, "right");
}

TEST_F(TuningTest, AWrongResultInAConfirmationDisqualifies) {
  evaluation_.behaviour["sometimes"] = {5, Verdict::ok, Verdict::wrong_result};
  evaluation_.behaviour["right"] = {2};
  const TuningResult result = tune({"sometimes", "right"});
  ASSERT_EQ(result.main()->finalists.size(), 1U);
  EXPECT_EQ(result.main()->finalists.front().candidate.source, "right");
}

TEST_F(TuningTest, NoiseIsNoGain) {
  evaluation_.report.spread = 0.05;  // so 15 % are needed
  evaluation_.behaviour["a"] = {1.1};
  evaluation_.behaviour["b"] = {1.12};
  tune({"a", "b", "c"});
  EXPECT_THAT(memory_.decisions.front(), HasSubstr("the baseline stays"));
}

TEST_F(TuningTest, PatienceEndsTheSearch) {
  task_.search.rounds = 50;
  task_.search.patience = 2;
  std::vector<std::string> sources;
  for (int i = 0; i < 100; ++i) {
    sources.push_back("s" + std::to_string(i));
    evaluation_.behaviour[sources.back()] = {0.9};
  }
  const TuningResult result = tune(sources);
  EXPECT_EQ(result.main()->rounds, 2);
  EXPECT_TRUE(result.main()->finalists.empty());
}

TEST_F(TuningTest, ADryProposerEndsTheSearch) {
  task_.search.rounds = 50;
  evaluation_.behaviour["a"] = {2};
  const TuningResult result = tune({"a"});
  EXPECT_LE(result.main()->rounds, 3);
  ASSERT_EQ(result.main()->finalists.size(), 1U);
}

TEST_F(TuningTest, EqualSourcesAreJudgedOnce) {
  evaluation_.behaviour["int a;"] = {2};
  tune({"int a;", "int  a ; // again"});
  int screened = 0;
  for (const EvaluationTask& task : evaluation_.tasks) screened += task.purpose == Purpose::screen;
  EXPECT_EQ(screened, 1);
  EXPECT_THAT(memory_.rows, Contains(std::pair(Purpose::screen, Verdict::duplicate)));
}

TEST_F(TuningTest, EqualSourcesThatComeInAnotherOrderAreNotMeasuredAgain) {
  evaluation_.behaviour["int a;"] = {2};
  evaluation_.behaviour["int  a ; // again"] = {2};
  tune({"int a;", "int  a ; // again"});
  const int measured = evaluation_.evaluations;
  tune({"int  a ; // again", "int a;"});
  EXPECT_EQ(evaluation_.evaluations, measured);
}

TEST_F(TuningTest, ARefusedMepIsSaidAndNothingIsTried) {
  evaluation_.report.usable = false;
  evaluation_.report.failure = Verdict::build_failed;
  evaluation_.report.message = "the original does not compile";
  const TuningResult result = tune({"a"});
  EXPECT_FALSE(result.mep.usable);
  EXPECT_EQ(result.reason, "the original does not compile");
  EXPECT_EQ(evaluation_.evaluations, 0);
}

TEST_F(TuningTest, AsManyCandidatesRunAtOnceAsARoundHas) {
  task_.search.candidates = 4;
  for (const char* name : {"a", "b", "c", "d"}) evaluation_.behaviour[name] = {2};
  tune({"a", "b", "c", "d"});
  EXPECT_GE(evaluation_.most_running, 4);
}

TEST_F(TuningTest, AStopLeavesNothingRunningAndAResumeMeasuresNothingTwice) {
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) evaluation_.behaviour[name] = {2};
  evaluation_.behaviour["c"] = {4};
  const std::vector<std::string> script = {"a", "b", "c", "d", "e", "f"};
  evaluation_.on_evaluate = [this](const EvaluationTask&) { stopping_ = evaluation_.evaluations >= 3; };
  const TuningResult first = tune(script);
  EXPECT_TRUE(first.stopped);
  EXPECT_EQ(evaluation_.running, 0);
  const int before = evaluation_.evaluations;
  stopping_ = false;
  evaluation_.on_evaluate = nullptr;
  const TuningResult second = tune(script);
  EXPECT_FALSE(second.stopped);
  EXPECT_EQ(second.main()->finalists.front().candidate.source, "c");
  EXPECT_EQ(memory_.repeats, 0);
  EXPECT_EQ(evaluation_.prepares, 1);
  EXPECT_GT(evaluation_.evaluations, before);
  // A third run answers everything from memory and decides the same.
  const int all = evaluation_.evaluations;
  const TuningResult third = tune(script);
  EXPECT_EQ(evaluation_.evaluations, all);
  EXPECT_EQ(third.main()->finalists.front().candidate.source, "c");
  EXPECT_EQ(third.main()->finalists.front().speedup, second.main()->finalists.front().speedup);
}

TEST_F(TuningTest, WhatOurOwnTroubleCutShortIsNoVerdictOnTheCandidate) {
  evaluation_.behaviour["a"] = {3, Verdict::lost};
  evaluation_.behaviour["b"] = {2};
  const TuningResult result = tune({"a", "b"});
  ASSERT_EQ(result.main()->finalists.size(), 1U);
  EXPECT_EQ(result.main()->finalists.front().candidate.source, "b");
}

TEST_F(TuningTest, AHundredVersionsThatAllFailEndTheSearchOnTheOriginal) {
  const Verdict verdicts[] = {Verdict::rejected,   Verdict::build_failed, Verdict::build_timeout,
                              Verdict::run_failed, Verdict::run_timeout,  Verdict::wrong_result,
                              Verdict::unstable};
  task_.search.rounds = task_.search.patience = 50;
  std::vector<std::string> sources;
  for (std::size_t i = 0; i < 100; ++i) {
    sources.push_back("bad " + std::to_string(i));
    evaluation_.behaviour[sources.back()] = {9, verdicts[i % std::size(verdicts)]};
  }
  const TuningResult result = tune(sources);
  EXPECT_TRUE(result.mep.usable);
  EXPECT_FALSE(result.stopped);
  EXPECT_EQ(evaluation_.evaluations, 100);
  EXPECT_TRUE(result.main()->finalists.empty());
  for (const EvaluationTask& task : evaluation_.tasks) EXPECT_EQ(task.reference.source, "original");
}

TEST(EvaluationKey, DependsOnWhatDecidesTheAnswer) {
  EvaluationTask task;
  DeviceFacts device;
  const std::string key = evaluation_key(task, device);
  EXPECT_EQ(key, evaluation_key(task, device));
  EvaluationTask other = task;
  other.process = 1;
  EXPECT_NE(key, evaluation_key(other, device));
  other = task;
  other.candidate.sha = "x";
  EXPECT_NE(key, evaluation_key(other, device));
  other = task;
  other.setup.search.repeats = 7;
  EXPECT_NE(key, evaluation_key(other, device));
  device.compiler = "another";
  EXPECT_NE(key, evaluation_key(task, device));
}

}  // namespace
}  // namespace noctune
