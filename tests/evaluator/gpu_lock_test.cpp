#include "evaluator/gpu_lock.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "fakes/run_all.hpp"

namespace noctune {
namespace {

class GpuLockTest : public ::testing::Test {
 protected:
  // Another rank or program on the same GPU: locks of two descriptors are strangers even in one process.
  GpuLock lock(const std::string& gpu = "GPU-1") const { return GpuLock(gpu, folder_.path()); }

  asio::io_context io_;
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("gpu-lock"));
};

TEST_F(GpuLockTest, MeasurersAreAloneAndChecksAreNot) {
  GpuLock first = lock(), second = lock();
  int checking = 0, measuring = 0, most_checking = 0, turns = 0;
  const auto check = [&](GpuLock& gpu) -> Task<void> {
    for (int i = 0; i < 10; ++i) {
      GpuLock::Patience patience;
      const GpuLock::Hold hold = co_await gpu.to_check(std::move(patience));
      EXPECT_TRUE(hold);
      EXPECT_EQ(measuring, 0);
      most_checking = std::max(most_checking, ++checking);
      co_await asio::post(io_, asio::use_awaitable);
      --checking;
      ++turns;
    }
  };
  const auto measure = [&](GpuLock& gpu) -> Task<void> {
    for (int i = 0; i < 10; ++i) {
      GpuLock::Patience patience;
      const GpuLock::Hold hold = co_await gpu.to_measure(std::move(patience));
      EXPECT_TRUE(hold);
      EXPECT_EQ(checking + measuring, 0);
      ++measuring;
      co_await asio::post(io_, asio::use_awaitable);
      --measuring;
      ++turns;
    }
  };
  run_all(io_, check(first), check(second), measure(first), measure(second));
  EXPECT_EQ(turns, 40);
  EXPECT_GE(most_checking, 1);
}

TEST_F(GpuLockTest, ASecondProgramIsRefusedAndToldByWhom) {
  GpuLock first = lock(), second = lock(), elsewhere = lock("GPU-2");
  GpuLock::Hold hold = first.try_to_measure();
  ASSERT_TRUE(hold);
  EXPECT_FALSE(second.try_to_measure());
  EXPECT_EQ(second.holder(), "in use; process " + std::to_string(::getpid()) + " measured last");
  EXPECT_TRUE(elsewhere.try_to_measure());
  hold = GpuLock::Hold();
  EXPECT_TRUE(second.try_to_measure());
}

TEST_F(GpuLockTest, WaitingEndsWhenTheRunStops) {
  GpuLock first = lock(), second = lock();
  const GpuLock::Hold held = first.try_to_measure();
  bool asked = false, got = true;
  const auto wait = [&]() -> Task<void> {
    GpuLock::Patience patience;
    patience.give_up = [&] { return std::exchange(asked, true); };
    const GpuLock::Hold hold = co_await second.to_measure(std::move(patience));
    got = static_cast<bool>(hold);
  };
  run_all(io_, wait());
  EXPECT_FALSE(got);
}

TEST_F(GpuLockTest, WhoWaitsSaysSo) {
  GpuLock first = lock(), second = lock();
  GpuLock::Hold held = first.try_to_measure();
  std::string told;
  bool got = false;
  const auto wait = [&]() -> Task<void> {
    GpuLock::Patience patience;
    patience.tell = [&](const std::string& text) {
      told += text;
      held = GpuLock::Hold();
    };
    const GpuLock::Hold hold = co_await second.to_measure(std::move(patience));
    got = static_cast<bool>(hold);
  };
  run_all(io_, wait());
  EXPECT_TRUE(got);
  EXPECT_THAT(told, ::testing::StartsWith("waiting for the GPU GPU-1, in use; process"));
}

TEST_F(GpuLockTest, AnyNameMakesAFileInTheFolder) {
  GpuLock odd = lock("../a b/c");
  EXPECT_TRUE(odd.try_to_measure());
  EXPECT_FALSE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace noctune
