#include "coordinator/evaluator_pool.hpp"

#include <gmock/gmock.h>

#include "evaluator/service.hpp"
#include "fakes/run_all.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

class PoolTest : public ::testing::Test {
 protected:
  struct Sent {
    int worker;
    std::uint64_t task;
    Json request;
  };

  void add(int rank) {
    DeviceFacts facts;
    facts.rank = rank;
    pool_.add_worker(facts, [this, rank](std::uint64_t task, const std::string& request) {
      sent_.push_back({rank, task, message_from(request)});
    });
  }
  // A call that keeps its reply, or says that it was stopped.
  Task<void> call(std::string hotspot, std::string* reply) {
    try {
      Json request = {{"for", hotspot}};
      const Json got = co_await pool_.call(hotspot, std::move(request));
      *reply =
          got.contains("error") ? got.at("error").get<std::string>() : got.at("value").get<std::string>();
    } catch (const StopRequested&) {
      *reply = "stopped";
    }
  }
  void start(const std::string& hotspot, std::string* reply) {
    asio::co_spawn(io_, call(hotspot, reply), asio::detached);
    settle();
  }
  void settle() {
    io_.restart();
    io_.poll();
  }
  void answer(std::size_t index, const std::string& value) {
    pool_.answered(sent_[index].worker, sent_[index].task, Json{{"value", value}});
    settle();
  }

  asio::io_context io_;
  double now_ = 100;
  EvaluatorPool pool_{io_, [this] { return now_; }};
  std::vector<Sent> sent_;
};

TEST_F(PoolTest, CallsWaitUntilSomebodyCanServe) {
  std::string reply;
  start("a", &reply);
  EXPECT_EQ(pool_.waiting(), 1U);
  add(1);
  settle();
  ASSERT_EQ(sent_.size(), 1U);
  answer(0, "done");
  EXPECT_EQ(reply, "done");
}

TEST_F(PoolTest, EachWorkerHasOneRunningAndOneQueued) {
  add(1);
  std::string replies[4];
  for (auto& reply : replies) start("a", &reply);
  EXPECT_EQ(sent_.size(), 2U);
  EXPECT_EQ(pool_.waiting(), 2U);
  answer(0, "x");
  EXPECT_EQ(sent_.size(), 3U);
}

TEST_F(PoolTest, AHotspotStaysAtHomeWhileItsHomeHasRoom) {
  add(1);
  add(2);
  std::string a, b, a2, b2;
  start("a", &a);
  start("b", &b);
  start("a", &a2);
  start("b", &b2);
  ASSERT_EQ(sent_.size(), 4U);
  std::map<std::string, std::set<int>> workers;
  for (const Sent& sent : sent_) workers[sent.request["for"]].insert(sent.worker);
  EXPECT_EQ(workers["a"].size(), 1U);
  EXPECT_EQ(workers["b"].size(), 1U);
  EXPECT_NE(*workers["a"].begin(), *workers["b"].begin());
}

TEST_F(PoolTest, AFreeWorkerHelpsABusyHome) {
  add(1);
  add(2);
  std::string replies[4];
  for (auto& reply : replies) start("a", &reply);
  std::set<int> workers;
  for (const Sent& sent : sent_) workers.insert(sent.worker);
  EXPECT_EQ(sent_.size(), 4U);
  EXPECT_EQ(workers.size(), 2U);
}

TEST_F(PoolTest, ALostWorkersTasksGoElsewhereOnce) {
  add(1);
  std::string reply;
  start("a", &reply);
  add(2);
  pool_.lose_worker(1, "rank 1 died");
  settle();
  ASSERT_EQ(sent_.size(), 2U);
  EXPECT_EQ(sent_[1].worker, 2);
  pool_.answered(1, sent_[0].task,
                 Json{{"value", "x"}});  // ids stay; a late answer of the first still counts
  settle();
  EXPECT_EQ(reply, "x");
}

TEST_F(PoolTest, ATaskThatLosesTwoWorkersIsLost) {
  add(1);
  add(2);
  std::string reply;
  start("a", &reply);
  pool_.lose_worker(sent_[0].worker, "gone");
  settle();
  pool_.lose_worker(sent_[1].worker, "gone");
  settle();
  EXPECT_THAT(reply, ::testing::HasSubstr("lost twice"));
}

class RetiringPoolTest : public PoolTest {
 protected:
  RetiringPoolTest() {
    pool_.on_change({[this](const DeviceFacts& device, const std::string& why, bool silent) {
                       retired_ += (silent ? "silent " : "") + ("rank " + std::to_string(device.rank)) +
                                   ": " + why + "\n";
                     },
                     [](const std::string&) {}});
  }
  void fail(std::size_t index) {
    pool_.answered(sent_[index].worker, sent_[index].task, Json{{"error", "the driver is gone"}});
    settle();
  }

  std::string retired_;
};

TEST_F(RetiringPoolTest, ThreeFaultsInARowRetireADevice) {
  add(1);
  std::string replies[4];
  for (auto& reply : replies) start("a", &reply);
  fail(0);
  fail(1);
  EXPECT_EQ(replies[0], "the driver is gone");
  EXPECT_EQ(retired_, "");
  add(2);
  fail(2);
  EXPECT_THAT(retired_,
              ::testing::HasSubstr("rank 1: 3 times in a row it gave no verdict, last: the driver"));
  EXPECT_EQ(pool_.usable(), 1U);
  ASSERT_EQ(sent_.size(), 5U);  // the third is tried elsewhere
  EXPECT_EQ(sent_[4].worker, 2);
  EXPECT_EQ(sent_[4].request.dump(), sent_[2].request.dump());
  EXPECT_EQ(replies[2], "");
  answer(3, "late, but right");  // what the retired one still had
  EXPECT_EQ(replies[3], "late, but right");
  answer(4, "elsewhere");
  EXPECT_EQ(replies[2], "elsewhere");
  std::string after;
  start("a", &after);
  EXPECT_EQ(sent_.back().worker, 2);
}

TEST_F(RetiringPoolTest, ASuccessStartsTheCountAgain) {
  add(1);
  std::string replies[5];
  for (auto& reply : replies) start("a", &reply);
  fail(0);
  fail(1);
  answer(2, "well");
  fail(3);
  fail(4);
  EXPECT_EQ(retired_, "");
  EXPECT_EQ(pool_.usable(), 1U);
}

TEST_F(RetiringPoolTest, WithoutAnyDeviceCallsEndAtOnce) {
  add(1);
  std::string replies[5];
  for (auto& reply : replies) start("a", &reply);
  for (std::size_t i = 0; i < 3; ++i) fail(i);
  EXPECT_EQ(pool_.usable(), 0U);
  EXPECT_EQ(replies[2], "the driver is gone");
  EXPECT_THAT(replies[4], ::testing::HasSubstr("no evaluator is left"));
  EXPECT_EQ(replies[3], "");  // still with the retired one
  std::string after;
  start("a", &after);
  EXPECT_THAT(after, ::testing::HasSubstr("no evaluator is left"));
}

TEST_F(PoolTest, HotspotsTakeTurnsByTheSecondsTheyUse) {
  add(1);
  std::string dear[6], cheap[6];
  for (auto& reply : dear) start("dear", &reply);
  for (auto& reply : cheap) start("cheap", &reply);
  double seconds[2] = {0, 0};
  for (std::size_t i = 0; i < 8; ++i) {
    const bool is_dear = sent_[i].request["for"] == "dear";
    seconds[is_dear] += is_dear ? 30 : 10;
    now_ += is_dear ? 30 : 10;
    answer(i, "x");
  }
  // Two dear ones were out before a cheap one waited; from then on the cheap ones catch up.
  EXPECT_EQ(seconds[1], 60);
  EXPECT_EQ(seconds[0], 60);
}

TEST_F(PoolTest, AHeavierHotspotGetsMore) {
  add(1);
  pool_.weigh("heavy", 3);
  std::string heavy[12], light[12];
  for (int i = 0; i < 12; ++i) {
    start("light", &light[i]);
    start("heavy", &heavy[i]);
  }
  int served = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    now_ += 10;
    answer(i, "x");
    served += sent_[i].request["for"] == "heavy";
  }
  EXPECT_GE(served, 7);
  EXPECT_LE(served, 10);
}

TEST_F(PoolTest, AHotspotWithoutAHomeIsServedBeforeOthersGoOn) {
  add(1);
  std::string a[4], b;
  for (auto& reply : a) start("a", &reply);
  start("b", &b);
  now_ += 10;
  answer(0, "x");
  ASSERT_EQ(sent_.size(), 3U);
  EXPECT_EQ(sent_[2].request["for"], "b");
}

class SilenceTest : public PoolTest {
 protected:
  SilenceTest() {
    pool_.on_change({[this](const DeviceFacts& device, const std::string&, bool silent) {
                       said_ += "gone " + std::to_string(device.rank) + (silent ? " silent;" : ";");
                     },
                     [this](const std::string& text) { said_ += text + ";"; }});
  }
  void wait(double seconds) {
    now_ += seconds;
    pool_.look_for_silence();
    settle();
  }
  std::string said_;
};

TEST_F(SilenceTest, OthersTakeOverFromWhoSaysNothingAndTheFirstAnswerCounts) {
  add(1);
  std::string reply;
  start("a", &reply);
  add(2);
  pool_.heard(2);
  now_ += EvaluatorPool::silent_after_s - 1;
  pool_.heard(2);
  wait(2);
  EXPECT_THAT(said_, ::testing::HasSubstr("rank 1 on  says nothing"));
  ASSERT_EQ(sent_.size(), 2U);
  EXPECT_EQ(sent_[1].worker, 2);
  std::string next;
  start("a", &next);  // nothing new for the silent one
  EXPECT_EQ(sent_[2].worker, 2);
  answer(1, "from 2");
  EXPECT_EQ(reply, "from 2");
  answer(0, "late from 1");  // it lives again
  EXPECT_EQ(reply, "from 2");
  EXPECT_THAT(said_, ::testing::HasSubstr("rank 1 on  answers again"));
  std::string again[2];
  for (auto& one : again) start("b", &one);
  EXPECT_EQ(sent_.back().worker, 1);
}

TEST_F(SilenceTest, WhoWokeUpFirstIsBelieved) {
  add(1);
  std::string reply;
  start("a", &reply);
  add(2);
  now_ += EvaluatorPool::silent_after_s + 1;
  pool_.heard(2);
  wait(0);
  ASSERT_EQ(sent_.size(), 2U);
  answer(0, "from 1");
  EXPECT_EQ(reply, "from 1");
  answer(1, "from 2, too late");
  EXPECT_EQ(reply, "from 1");
  EXPECT_EQ(pool_.running(), 0U);
}

TEST_F(SilenceTest, TheOnlyOneKeepsItsTasksUntilItIsGivenUp) {
  add(1);
  std::string reply;
  start("a", &reply);
  wait(EvaluatorPool::silent_after_s + 1);
  EXPECT_EQ(sent_.size(), 1U);
  EXPECT_EQ(reply, "");
  wait(EvaluatorPool::lost_after_s);
  EXPECT_THAT(reply, ::testing::HasSubstr("no evaluator is left: nothing was heard of it for"));
  EXPECT_THAT(said_, ::testing::HasSubstr("gone 1 silent;"));
  EXPECT_EQ(pool_.usable(), 0U);
}

TEST_F(SilenceTest, WhoLivesInThisProcessIsNotWatched) {
  DeviceFacts facts;
  pool_.add_worker(
      facts,
      [this](std::uint64_t task, const std::string& request) {
        sent_.push_back({0, task, message_from(request)});
      },
      false);
  std::string reply;
  start("a", &reply);
  wait(2 * EvaluatorPool::lost_after_s);
  EXPECT_EQ(said_, "");
  answer(0, "slow");
  EXPECT_EQ(reply, "slow");
}

const char* const small_spec = R"({
  "spec_version": 1, "entry": "f",
  "params": [{"name": "x", "type": "double*", "count": "10", "role": "inout", "init": "uniform"}],
  "cases": [{"name": "time", "sizes": {}}]
})";

TEST_F(PoolTest, AnAnswerThatCannotBeReadIsLost) {
  add(1);
  Baselined prepared;
  Evaluation evaluated;
  auto ask = [&]() -> Task<void> {
    PrepareTask prepare;
    prepare.mep.spec = read_mep_spec(value_or_throw(parse_json(small_spec, "test spec")));
    EvaluationTask evaluate;
    evaluate.setup = prepare;
    prepared = co_await pool_.prepare(std::move(prepare));
    evaluated = co_await pool_.evaluate(std::move(evaluate));
  };
  for (const char* odd :
       {R"({"prepared": 7})", R"({"prepared": {"report": {"usable": "yes"}}})", R"({"error": 7})", "{}"}) {
    asio::co_spawn(io_, ask(), asio::detached);
    settle();
    ASSERT_FALSE(sent_.empty());
    pool_.answered(1, sent_.back().task, Json::parse(odd));
    settle();
    EXPECT_EQ(prepared.report.failure, Verdict::lost) << odd;
    EXPECT_NE(prepared.report.message, "") << odd;
    EXPECT_FALSE(prepared.report.usable) << odd;
    pool_.answered(1, sent_.back().task, Json::parse(R"({"evaluation": {"verdict": 7}})"));
    settle();
    EXPECT_EQ(evaluated.verdict, Verdict::lost) << odd;
    EXPECT_NE(evaluated.message, "") << odd;
  }
}

TEST_F(PoolTest, ATaskIsSentAsItsBytesAndTheSameAgain) {
  std::vector<std::string> bytes;
  for (const int rank : {1, 2}) {
    DeviceFacts facts;
    facts.rank = rank;
    pool_.add_worker(facts, [&](std::uint64_t, const std::string& request) { bytes.push_back(request); });
  }
  EvaluationTask task;
  task.setup.mep.hotspot = "a";
  task.setup.mep.spec = read_mep_spec(value_or_throw(parse_json(small_spec, "test spec")));
  task.candidate.source = "void f(double* x) { *x = 1; }";
  const std::string wanted = message_bytes(evaluate_request(task));
  Evaluation evaluated;
  auto ask = [&]() -> Task<void> {
    Task<Evaluation> answer = pool_.evaluate(task);
    task.candidate.source = "changed while the answer is waited for";
    evaluated = co_await std::move(answer);
  };
  asio::co_spawn(io_, ask(), asio::detached);
  settle();
  pool_.lose_worker(1, "rank 1 died");
  settle();
  ASSERT_EQ(bytes.size(), 2U);
  EXPECT_EQ(bytes[0], wanted);
  EXPECT_EQ(bytes[1], wanted);
  EXPECT_EQ(message_from(bytes[1]).at("task").at("candidate").at("source"), "void f(double* x) { *x = 1; }");
  pool_.answered(2, 1, Json{{"error", "for the test"}});
  settle();
  EXPECT_EQ(evaluated.message, "for the test");
}

TEST_F(PoolTest, NothingIsBegunThatWouldNotEndInTime) {
  add(1);
  std::string replies[5];
  start("a", &replies[0]);
  now_ += 10;
  answer(0, "x");  // a task takes 10 s
  bool idle = false;
  pool_.end_within(25, [&] { idle = true; });
  for (int i = 1; i < 5; ++i) start("a", &replies[i]);
  EXPECT_EQ(sent_.size(), 3U);  // two fit, one after the other
  now_ += 10;
  answer(1, "x");
  now_ += 10;
  EXPECT_EQ(sent_.size(), 3U);
  EXPECT_FALSE(idle);
  answer(2, "x");
  EXPECT_EQ(sent_.size(), 3U);
  EXPECT_TRUE(idle);
  EXPECT_EQ(replies[4], "");
}

TEST_F(PoolTest, FinishingLetsWhatRunsGoOn) {
  add(1);
  std::string replies[3];
  for (auto& reply : replies) start("a", &reply);
  pool_.finish_running();
  settle();
  EXPECT_EQ(replies[2], "stopped");
  std::string after;
  start("b", &after);
  EXPECT_EQ(after, "stopped");
  answer(0, "x");
  answer(1, "y");
  EXPECT_EQ(replies[0], "x");
  EXPECT_EQ(replies[1], "y");
  EXPECT_EQ(sent_.size(), 2U);
}

TEST_F(PoolTest, StopEndsEveryCallAndDropsLateAnswers) {
  add(1);
  std::string replies[3];
  for (auto& reply : replies) start("a", &reply);
  pool_.stop();
  settle();
  for (const auto& reply : replies) EXPECT_EQ(reply, "stopped");
  answer(0, "late");
  EXPECT_EQ(replies[0], "stopped");
  std::string after;
  start("a", &after);
  EXPECT_EQ(after, "stopped");
}

}  // namespace
}  // namespace noctune
