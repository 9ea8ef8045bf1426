#include <gtest/gtest.h>

#include "coordinator/campaign_run.hpp"

namespace noctune {
namespace {

ArmResult result_with(double speedup, double low) {
  ArmResult out;
  Finalist finalist;
  finalist.speedup = speedup;
  finalist.low = low;
  out.finalists.push_back(finalist);
  return out;
}

TEST(VerdictFor, OnlyASignificantGainIsFaster) {
  EXPECT_EQ(verdict_for(result_with(1.5, 1.4), 0.001, 0.01), HotspotVerdict::faster);
  EXPECT_EQ(verdict_for(result_with(1.5, 1.4), 0.2, 0.01), HotspotVerdict::indistinguishable);
  EXPECT_EQ(verdict_for(result_with(1.5, 0.9), 0.001, 0.01), HotspotVerdict::indistinguishable);
  EXPECT_EQ(verdict_for(result_with(0.7, 0.6), 0.001, 0.01), HotspotVerdict::indistinguishable);
}

TEST(VerdictFor, WithoutFinalists) {
  EXPECT_EQ(verdict_for(ArmResult{}, 1, 0.01), HotspotVerdict::indistinguishable);
}

}  // namespace
}  // namespace noctune
