#include "coordinator/promise.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

Attempt attempt(int round, double speedup, double total, Verdict verdict = Verdict::ok) {
  Attempt out;
  out.candidate.base = 1;
  out.round = round;
  out.speedup = speedup;
  out.total_speedup = total;
  out.verdict = verdict;
  return out;
}

TEST(Promise, GrowsWithTheShare) {
  EXPECT_DOUBLE_EQ(promise(4, {}), 4 * promise(1, {}));
  EXPECT_GT(promise(1, {}), 0);
}

TEST(Promise, FallsWithWhatIsAlreadyGained) {
  EXPECT_LT(promise(1, {attempt(0, 10, 10)}), promise(1, {attempt(0, 1.5, 1.5)}));
}

TEST(Promise, FallsWithRoundsInVain) {
  std::vector<Attempt> attempts;
  double before = promise(1, attempts);
  for (int round = 0; round < 4; ++round) {
    attempts.push_back(attempt(round, 0.9, 0.9));
    attempts.push_back(attempt(round, 0, 0, Verdict::wrong_result));
    const double now = promise(1, attempts);
    EXPECT_LT(now, before);
    EXPECT_GT(now, 0);
    before = now;
  }
}

TEST(Promise, RecentRoundsCountMost) {
  const double rising = promise(1, {attempt(0, 1, 1), attempt(1, 2, 2)});
  const double fading = promise(1, {attempt(0, 2, 2), attempt(1, 1, 2)});
  EXPECT_GT(rising, fading);
}

TEST(DeviceWeight, IsOneAtFirstAndNeverStarvesAnybody) {
  EXPECT_DOUBLE_EQ(device_weight(promise(3, {}), 3), 1);
  EXPECT_EQ(device_weight(promise(1000, {}), 1), 4);
  EXPECT_EQ(device_weight(promise(1, {attempt(0, 1000, 1000)}), 1000), 0.25);
  EXPECT_EQ(device_weight(1, 0), 1);
}

}  // namespace
}  // namespace noctune
