#include "coordinator/evaluator_pool.hpp"

#include <gmock/gmock.h>

#include "fakes/run_all.hpp"

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
    pool_.add_worker(facts, [this, rank](std::uint64_t task, const Json& request) {
      sent_.push_back({rank, task, request});
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
    pool_.answered(sent_[index].task, Json{{"value", value}});
    settle();
  }

  asio::io_context io_;
  EvaluatorPool pool_{io_};
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
  pool_.answered(sent_[0].task, Json{{"value", "x"}});  // ids stay; a late answer of the first still counts
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
