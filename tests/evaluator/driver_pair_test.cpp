// Timed pairs that start before their turn, with a lock in place of a GPU.
#include <gmock/gmock.h>

#include "evaluator/evaluator_fixture.hpp"
#include "evaluator/timing.hpp"

namespace noctune {
namespace {

class EarlyPair : public ::testing::Test {
 protected:
  EarlyPair() {
    real_.bench->gpu_lock.emplace("GPU-1", locks_.path());
    auto sized = sized_bench(real_, small_task(axpy_spec, axpy_source), {{"n", 20000}}, {{"n", 131}});
    bench_ = sized.bench;
  }

  Task<DriverRunner::Pair> pair() {
    TimingPlan plan;
    plan.repeats = 5;
    plan.trim = 1;
    const auto& original = bench_->original().file;
    return bench_->run_pair(original, original, timing_run(bench_->cases().front(), plan), 20);
  }

  // Starts `count` pairs while another version is checked, and lets `meanwhile` happen once the first has
  // opened the device.
  std::vector<DriverRunner::Pair> pairs_beside_a_check(int count, std::function<bool()> meanwhile) {
    std::vector<DriverRunner::Pair> ended;
    real_.run([](EarlyPair& test, int wanted, std::function<bool()> act,
                 std::vector<DriverRunner::Pair>& out) -> Task<bool> {
      std::optional<AsyncMutex::Guard> check;
      check.emplace(co_await test.real_.bench->measuring.lock());
      for (int i = 0; i < wanted; ++i)
        asio::co_spawn(test.real_.io, test.pair(), [&out](std::exception_ptr thrown, DriverRunner::Pair one) {
          EXPECT_FALSE(thrown);
          out.push_back(std::move(one));
        });
      const auto look_again = [] { return asio::post(asio::use_awaitable); };
      while (test.real_.helper.running() < 2) co_await look_again();
      const GpuLock device("GPU-1", test.locks_.path());
      while (!device.is_free()) co_await look_again();
      EXPECT_EQ(test.real_.helper.running(), 2u);
      EXPECT_TRUE(out.empty());
      const bool ends_them = act();
      while (ends_them && test.real_.helper.running() > 0) co_await look_again();
      check.reset();
      while (static_cast<int>(out.size()) < wanted) co_await look_again();
      co_return true;
    }(*this, count, std::move(meanwhile), ended));
    return ended;
  }

  static void expect_timed(const DriverRunner::Pair& pair) {
    ASSERT_EQ(pair.a.verdict(), Verdict::ok) << pair.a.message();
    ASSERT_EQ(pair.b.verdict(), Verdict::ok) << pair.b.message();
    EXPECT_EQ(pair.a.report->time->samples.size(), 5u);
    EXPECT_EQ(pair.b.report->time->samples.size(), 5u);
  }

  RealEvaluator real_{false};
  const ScratchFolder locks_ = value_or_throw(ScratchFolder::make("locks"));
  std::shared_ptr<Workbench> bench_;
};

TEST_F(EarlyPair, OpensTheDeviceBesideACheckAndWaitsForItsTurn) {
  for (const DriverRunner::Pair& pair : pairs_beside_a_check(1, [] { return false; })) {
    EXPECT_TRUE(pair.had_turn);
    expect_timed(pair);
  }
}

TEST_F(EarlyPair, OneAtATimeStartsEarly) {
  const auto pairs = pairs_beside_a_check(3, [] { return false; });
  ASSERT_EQ(pairs.size(), 3u);
  for (const DriverRunner::Pair& pair : pairs) expect_timed(pair);
}

TEST_F(EarlyPair, StartsAgainWhereItEndedBeforeItsTurn) {
  const auto pairs = pairs_beside_a_check(1, [this] {
    real_.helper.cancel_all();
    return true;
  });
  ASSERT_EQ(pairs.size(), 1u);
  expect_timed(pairs.front());
}

TEST_F(EarlyPair, EndsWithTheRun) {
  const auto pairs = pairs_beside_a_check(2, [this] {
    real_.host.cancel();
    return true;
  });
  ASSERT_EQ(pairs.size(), 2u);
  for (const DriverRunner::Pair& pair : pairs) EXPECT_EQ(pair.a.verdict(), Verdict::lost);
}

}  // namespace
}  // namespace noctune
