#include "evaluator/ceilings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evaluator/evaluator_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

const std::vector<Ceiling> ceilings = {{"read 1 MB", 100e9, "B/s", 1e6},
                                       {"read 64 MB", 20e9, "B/s", 64e6},
                                       {"fp64 FMA", 50e9, "flop/s", 0},
                                       {"fp32 FMA", 100e9, "flop/s", 0}};

SizedCase sized(double bytes, double flops) {
  SizedCase out;
  out.bytes = bytes;
  out.flops = flops;
  return out;
}

TEST(RooflineFloor, IsWhatMemoryOrArithmeticTakesAtLeast) {
  const auto memory = roofline_floor(ceilings, sized(40e6, 1e6), false);
  ASSERT_TRUE(memory);
  EXPECT_NEAR(memory->seconds, 0.8 * 40e6 / 20e9, 1e-9);
  EXPECT_THAT(memory->words, HasSubstr("40 MB at the measured 20 GB/s"));
  const auto arithmetic = roofline_floor(ceilings, sized(1e3, 1e9), false);
  ASSERT_TRUE(arithmetic);
  EXPECT_NEAR(arithmetic->seconds, 0.8 * 1e9 / 50e9, 1e-9);
  EXPECT_THAT(arithmetic->words, HasSubstr("1e+03 Mflop at the measured 50 Gflop/s"));
}

TEST(RooflineFloor, GrantsTheFasterLevelAndTheNarrowerType) {
  EXPECT_NEAR(roofline_floor(ceilings, sized(2e6, 0), false)->seconds, 0.8 * 2e6 / 100e9, 1e-12);
  EXPECT_NEAR(roofline_floor(ceilings, sized(0, 1e9), true)->seconds, 0.8 * 1e9 / 100e9, 1e-9);
}

TEST(RooflineFloor, KnowsNothingWithoutWorkOrCeilings) {
  EXPECT_FALSE(roofline_floor(ceilings, sized(0, 0), false));
  EXPECT_FALSE(roofline_floor({}, sized(1e6, 1e6), false));
}

TEST(MeasureCeilings, FillsAllOfThem) {
  RealEvaluator real;
  PlatformSettings platform;
  EXPECT_EQ(real.run(measure_ceilings(*real.bench, platform)), "");
  ASSERT_EQ(real.bench->device.ceilings.size(), 6U);
  for (const Ceiling& one : real.bench->device.ceilings) EXPECT_GT(one.value, 1e8) << one.name;
}

}  // namespace
}  // namespace noctune
