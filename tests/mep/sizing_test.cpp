#include "mep/sizing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace noctune {
namespace {

using ::testing::HasSubstr;
using Sizes = Sizing::Sizes;

SizeSpec scaling(const std::string& name, long long value) {
  SizeSpec size;
  size.name = name;
  size.value = value;
  size.scale = true;
  return size;
}

// A machine: seconds and bytes as functions of the sizes.
struct Machine {
  std::function<double(const Sizes&)> seconds, bytes;
  int probes = 0;

  SizingResult run(std::vector<SizeSpec> sizes, SizingLimits limits) {
    Sizing sizing(std::move(sizes), limits, bytes);
    while (!sizing.done() && probes < 20) {
      ++probes;
      const double s = seconds(sizing.sizes());
      EXPECT_LE(bytes(sizing.sizes()), limits.s_max_bytes) << "no run may exceed S_max";
      sizing.tell({s, 0.05 + 100 * s, bytes(sizing.sizes())});
    }
    EXPECT_TRUE(sizing.done());
    EXPECT_LE(probes, 9);
    return sizing.result();
  }
};

double n_of(const Sizes& sizes) {
  return static_cast<double>(sizes.at("n"));
}
Machine gemm() {
  return {[](const Sizes& s) { return 1e-6 + std::pow(n_of(s), 3) * 2e-10; },
          [](const Sizes& s) { return 24 * n_of(s) * n_of(s); }};
}
Machine stream() {
  return {[](const Sizes& s) { return 1e-6 + n_of(s) * 1e-9; }, [](const Sizes& s) { return 16 * n_of(s); }};
}

TEST(Sizing, KeepsADeclaredSizeThatFits) {
  Machine machine = gemm();
  const SizingResult result = machine.run({scaling("n", 512)}, {});
  EXPECT_FALSE(result.refused);
  EXPECT_EQ(result.sizes.at("n"), 512);
  EXPECT_EQ(machine.probes, 1);
  EXPECT_EQ(result.batch, 1);
  EXPECT_THAT(result.sentence, HasSubstr("n=512"));
  EXPECT_THAT(result.sentence, HasSubstr("declared"));
}

TEST(Sizing, GrowsInFewSteps) {
  Machine machine = gemm();
  const SizingResult result = machine.run({scaling("n", 10)}, {});
  EXPECT_FALSE(result.refused || result.batched);
  EXPECT_GE(result.measured.t_ker_s, 1e-3);
  EXPECT_LE(result.measured.t_ker_s, 4e-3) << "no larger than needed";
}

TEST(Sizing, ShrinksWhatTakesTooLong) {
  Machine machine = gemm();
  const SizingResult result = machine.run({scaling("n", 4000)}, {});
  EXPECT_FALSE(result.refused);
  EXPECT_LE(result.measured.t_overall_s, 30);
  EXPECT_GE(result.measured.t_overall_s, 1) << "not much smaller than needed";
}

TEST(Sizing, BatchesWhereMemoryBindsFirst) {
  Machine machine = stream();
  SizingLimits limits;
  limits.t_min_s = 0.1;
  const SizingResult result = machine.run({scaling("n", 1 << 20)}, limits);
  EXPECT_FALSE(result.refused);
  EXPECT_TRUE(result.batched);
  EXPECT_EQ(result.bound, SizeBound::s_max);
  EXPECT_GE(result.batch * result.measured.t_ker_s, 0.1);
  EXPECT_GT(result.measured.s_data_bytes, 0.9 * limits.s_max_bytes);
  EXPECT_THAT(result.sentence, HasSubstr("S_max keeps T_ker below T_min = 100 ms"));
}

TEST(Sizing, BatchesWhereAMaximumBindsFirst) {
  Machine machine = stream();
  SizeSpec size = scaling("n", 1000);
  size.max = 2000;
  const SizingResult result = machine.run({size}, {});
  EXPECT_EQ(result.bound, SizeBound::max);
  EXPECT_EQ(result.sizes.at("n"), 2000);
  EXPECT_GE(result.batch, 300);
}

TEST(Sizing, BatchesWhereTheWholeRunBindsFirst) {
  Machine machine{[](const Sizes&) { return 5e-4; }, [](const Sizes& s) { return 8 * n_of(s); }};
  Sizing sizing({scaling("n", 1000)}, {}, machine.bytes);
  while (!sizing.done()) sizing.tell({5e-4, n_of(sizing.sizes()) * 1e-2, machine.bytes(sizing.sizes())});
  EXPECT_FALSE(sizing.result().refused);
  EXPECT_EQ(sizing.result().bound, SizeBound::t_max);
  EXPECT_EQ(sizing.result().batch, 3);
}

TEST(Sizing, FixedSizesAreMeasuredOnce) {
  Machine machine{[](const Sizes&) { return 1e-5; }, [](const Sizes&) { return 1e6; }};
  const SizingResult result = machine.run({}, {});
  EXPECT_EQ(machine.probes, 1);
  EXPECT_TRUE(result.batched);
  EXPECT_EQ(result.batch, 110);
}

TEST(Sizing, RefusesWhatCanNeverFit) {
  Machine machine = gemm();
  SizeSpec size = scaling("n", 30000);
  size.min = 20000;
  const SizingResult memory = machine.run({size}, {});
  EXPECT_TRUE(memory.refused);
  EXPECT_EQ(machine.probes, 0);
  EXPECT_THAT(memory.sentence, HasSubstr("more than S_max"));

  size.value = 3000;
  size.min = 3000;
  const SizingResult time = machine.run({size}, {});
  EXPECT_TRUE(time.refused);
  EXPECT_THAT(time.sentence, HasSubstr("more than T_max = 30 s"));
}

TEST(Sizing, RespectsMultiplesAndPowers) {
  Machine machine = gemm();
  SizeSpec multiple = scaling("n", 32);
  multiple.multiple_of = 32;
  EXPECT_EQ(machine.run({multiple}, {}).sizes.at("n") % 32, 0);
  Machine other = gemm();
  SizeSpec power = scaling("n", 16);
  power.power_of_two = true;
  const SizingResult result = other.run({power}, {});
  EXPECT_EQ(result.sizes.at("n"), 256);
  EXPECT_FALSE(result.batched);
}

TEST(Sizing, ScalesSizesTogether) {
  Machine machine{[](const Sizes& s) { return static_cast<double>(s.at("n") * s.at("m")) * 1e-9; },
                  [](const Sizes& s) { return static_cast<double>(8 * s.at("n") * s.at("m")); }};
  const SizingResult result = machine.run({scaling("n", 100), scaling("m", 200)}, {});
  EXPECT_NEAR(static_cast<double>(result.sizes.at("m")) / static_cast<double>(result.sizes.at("n")), 2, 0.05);
}

TEST(Sizing, UndeclaredSizesStartUsefulAndLeaveTheCache) {
  Machine machine = stream();
  SizingLimits limits;
  limits.llc_bytes = 32e6;
  const SizingResult result = machine.run({scaling("n", 0)}, limits);
  EXPECT_FALSE(result.refused || result.batched);
  EXPECT_GE(result.measured.s_data_bytes, 64e6);
  Machine declared = stream();
  EXPECT_EQ(declared.run({scaling("n", 2000000)}, limits).sizes.at("n"), 2000000)
      << "a declared size is kept";
}

TEST(Sizing, ACacheBeyondReachIsNoReasonToGrow) {
  Machine machine = gemm();
  SizingLimits limits;
  limits.llc_bytes = 100e6;
  const SizingResult result = machine.run({scaling("n", 0)}, limits);
  EXPECT_FALSE(result.refused);
  EXPECT_LT(result.measured.t_ker_s, 0.05);
}

TEST(Sizing, AStrangeMachineStillEnds) {
  Machine flat{[](const Sizes&) { return 1e-5; }, [](const Sizes& s) { return 8 * n_of(s); }};
  EXPECT_TRUE(flat.run({scaling("n", 10)}, {}).batched);
  Machine zero{[](const Sizes&) { return 0.0; }, [](const Sizes& s) { return 8 * n_of(s); }};
  EXPECT_TRUE(zero.run({scaling("n", 10)}, {}).batched);
  Machine unresolved{[](const Sizes&) { return 1e-3; }, [](const Sizes&) { return -1.0; }};
  EXPECT_TRUE(unresolved.run({scaling("n", 10)}, {}).refused);
}

}  // namespace
}  // namespace noctune
