#include <gtest/gtest.h>

#include "coordinator/campaign_run.hpp"

namespace noctune {
namespace {

TuningResult result_with(double speedup, double low) {
  TuningResult out;
  out.mep.usable = true;
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

TEST(VerdictFor, WithoutFinalistsOrMep) {
  TuningResult none;
  EXPECT_EQ(verdict_for(none, 1, 0.01), HotspotVerdict::failed);
  none.mep.usable = true;
  EXPECT_EQ(verdict_for(none, 1, 0.01), HotspotVerdict::indistinguishable);
}

}  // namespace
}  // namespace noctune
