#include "evaluator/gpu_throttle.hpp"

#include <gtest/gtest.h>

namespace noctune {
namespace {

TEST(GpuThrottle, IdleAndSetClocksAreIgnored) {
  for (const long long bits : {0LL, 0x1LL, 0x2LL, 0x3LL, 0x100LL, -1LL}) {
    EXPECT_EQ(throttle_effect(bits), ThrottleEffect::none) << bits;
    EXPECT_EQ(throttle_text(bits), "");
  }
}

TEST(GpuThrottle, ThePowerCapIsTagged) {
  EXPECT_EQ(throttle_effect(0x4 | 0x1), ThrottleEffect::tagged);
  EXPECT_EQ(throttle_text(0x4 | 0x1), "software power cap");
}

TEST(GpuThrottle, HeatAndBrakesDropASample) {
  for (const long long bit : {0x8LL, 0x20LL, 0x40LL, 0x80LL})
    EXPECT_EQ(throttle_effect(bit | 0x4), ThrottleEffect::dropped) << bit;
  EXPECT_EQ(throttle_text(0xc), "software power cap, hardware slowdown");
}

TEST(GpuThrottle, WhatNobodyKnowsYetIsTagged) {
  EXPECT_EQ(throttle_effect(0x4000), ThrottleEffect::tagged);
  EXPECT_EQ(throttle_text(0x4001), "an unknown reason");
}

}  // namespace
}  // namespace noctune
