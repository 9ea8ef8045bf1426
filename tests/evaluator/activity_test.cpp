#include "evaluator/activity.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace noctune {
namespace {

TEST(Activity, CountsChildrenByKind) {
  Activity activity;
  EXPECT_TRUE(activity.idle());
  {
    const Activity::Entry one(activity, Activity::Kind::building), two(activity, Activity::Kind::building);
    const Activity::Entry three(activity, Activity::Kind::measuring);
    EXPECT_EQ(activity.count(Activity::Kind::building), 2);
    EXPECT_EQ(activity.count(Activity::Kind::checking), 0);
    EXPECT_EQ(activity.count(Activity::Kind::measuring), 1);
    EXPECT_FALSE(activity.idle());
  }
  EXPECT_TRUE(activity.idle());
}

TEST(Activity, BusySecondsOfOverlappingChildrenAreCountedOnce) {
  Activity activity;
  const double start = steady_seconds();
  std::optional<Activity::Entry> one, two;
  one.emplace(activity, Activity::Kind::building);
  two.emplace(activity, Activity::Kind::measuring);
  while (steady_seconds() - start < 2e-3) {
  }
  const double first = activity.take_busy_seconds();
  one.reset();
  two.reset();
  const double second = activity.take_busy_seconds(), end = steady_seconds();
  EXPECT_GE(first, 1.9e-3);
  EXPECT_GE(second, 0);
  EXPECT_LE(first + second, end - start);
  EXPECT_EQ(activity.take_busy_seconds(), 0);
}

}  // namespace
}  // namespace noctune
