#include "mep/sizing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
    EXPECT_LE(probes, 10);
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
  EXPECT_GE(result.measured.t_ker_s, 1e-3);
  EXPECT_LE(result.measured.t_ker_s, 10e-3);
  EXPECT_EQ(result.bound, SizeBound::none);
  EXPECT_THAT(result.sentence, HasSubstr("the declared sizes (n=4000) take 1.28e+03 s in a whole run, more"));
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
  EXPECT_THAT(result.sentence, HasSubstr("S_max = 512.0 MB keeps T_ker below T_min = 100 ms"));
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

TEST(Sizing, AnEndlessLoopIsRefusedAtItsFirstStop) {
  Sizing fixed({}, {}, [](const Sizes&) { return 1e6; });
  fixed.tell({30, 30, 1e6, true});
  ASSERT_TRUE(fixed.done() && fixed.result().refused);
  EXPECT_THAT(fixed.result().sentence, HasSubstr("stopped after 30 s, T_max"));
  EXPECT_THAT(fixed.result().sentence, HasSubstr("--set mep.t_max_s="));

  Sizing open({scaling("n", 1000)}, {}, [](const Sizes& s) { return 8 * n_of(s); });
  open.tell({30, 30, 8000, true});
  EXPECT_EQ(open.sizes().at("n"), 1) << "the smallest sizes decide whether it ends at all";
  open.tell({30, 30, 8, true});
  ASSERT_TRUE(open.done() && open.result().refused);
}

TEST(Sizing, WhatWasStoppedIsSizedFromBelow) {
  Machine machine{[](const Sizes& s) { return std::pow(n_of(s), 4) * 1e-9; },
                  [](const Sizes& s) { return 8 * n_of(s); }};
  Sizing sizing({scaling("n", 1000)}, {}, machine.bytes);
  int stops = 0;
  while (!sizing.done()) {
    const double t = machine.seconds(sizing.sizes());
    stops += t > 30;
    sizing.tell({std::min(t, 30.), std::min(0.05 + 3 * t, 30.), machine.bytes(sizing.sizes()), t > 30});
  }
  EXPECT_FALSE(sizing.result().refused) << sizing.result().sentence;
  EXPECT_LE(stops, 2);
  EXPECT_GE(sizing.result().measured.t_ker_s, 1e-3);
  EXPECT_LE(sizing.result().measured.t_ker_s, 10e-3);
}

TEST(Sizing, ScratchCountsOnceItIsKnown) {
  Sizing sizing({scaling("n", 10000000)}, {}, [](const Sizes& s) { return 40 * n_of(s); });
  int probes = 0;
  while (!sizing.done() && ++probes < 9) {
    const double n = n_of(sizing.sizes());
    sizing.tell({n * 1e-9, 0.1, 60 * n});
  }
  EXPECT_FALSE(sizing.result().refused);
  EXPECT_LE(sizing.result().measured.s_data_bytes, 512e6);
  EXPECT_THAT(sizing.result().sentence, HasSubstr("without scratch"));
  EXPECT_THAT(sizing.result().sentence, HasSubstr("(n=10000000) need 600.0 MB, more than S_max = 512.0 MB"));

  Sizing hopeless({}, {}, [](const Sizes&) { return 1e6; });
  hopeless.tell({1e-3, 0.1, 2e9});
  EXPECT_THAT(hopeless.result().sentence, HasSubstr("with its scratch the program needs 2.00 GB"));
}

TEST(Sizing, SaysWhyLargerSizesCannotBe) {
  const auto bytes = [](const Sizes& s) -> Result<double> {
    if (n_of(s) > 46340)
      return fail("parameter \"nn\" = " + std::to_string(s.at("n") * s.at("n")), "too wide");
    return n_of(s);
  };
  Sizing sizing({scaling("n", 1000)}, {}, bytes);
  while (!sizing.done()) sizing.tell({1e-9 * n_of(sizing.sizes()), 0.1, n_of(sizing.sizes())});
  EXPECT_EQ(sizing.result().bound, SizeBound::impossible);
  EXPECT_NEAR(n_of(sizing.result().sizes), 46340, 10);
  EXPECT_THAT(sizing.result().sentence, HasSubstr("that larger sizes cannot be (parameter \"nn\" = "));
}

// A kernel that grows in some way, with some limits, multiples and declared sizes, all drawn from `seed`.
struct Simulated {
  explicit Simulated(unsigned seed) : random(seed) {
    const double power = std::vector{1., 2., 3., 1.5, 2.5, 4.}[draw(6)];
    const double cost = std::pow(10, -11 + 0.5 * draw(6)), launch = draw(3) ? 1e-6 : 2e-4;
    const unsigned kind = draw(6);
    erratic = kind == 3;
    const bool square = draw(2) && power >= 2;
    machine.bytes = [square](const Sizes& s) { return 8 * std::pow(n_of(s), square ? 2 : 1); };
    machine.seconds = [=](const Sizes& s) {
      const double n = n_of(s), tile = std::ceil(n / 4096) * 4096;
      double t = kind == 0   ? std::pow(tile, power)  // steps
                 : kind == 1 ? n * std::log2(n + 1)
                 : kind == 2 ? std::log2(n + 1)  // never long
                             : std::pow(n, power);
      t = launch + cost * t;
      return kind == 3 ? t * (1 + 0.4 * std::sin(n)) : t;  // data decides
    };
    size = scaling("n", draw(2) ? 0 : static_cast<long long>(std::pow(10, 0.5 + 0.5 * draw(12))));
    if (!draw(3)) size.multiple_of = 1LL << draw(8);
    if (!draw(4)) size.power_of_two = true, size.multiple_of = 1;
    if (!draw(4)) size.min = 1LL << draw(12);
    if (!draw(4)) size.max = std::max(size.min, 1LL << (6 + draw(16)));
    size.max = std::max(size.max, 2 * size.multiple_of);
    if (size.value > 0) declare();
    overall_factor = 3 + 20 * draw(8);
    limits.t_min_s = draw(2) ? 1e-3 : 2e-2;
    limits.llc_bytes = draw(2) ? 32e6 : 0;
  }
  // The declared value, as its own rules allow it.
  void declare() {
    long long value = std::clamp(size.value, size.min, size.max);
    if (size.power_of_two)
      value = 1LL << static_cast<int>(std::log2(value));
    else
      value = std::max(value / size.multiple_of, 1LL) * size.multiple_of;
    while (value < size.min) value = size.power_of_two ? 2 * value : value + size.multiple_of;
    size.value = value;
    size.max = std::max(size.max, value);
  }
  unsigned draw(unsigned n) { return static_cast<unsigned>(random() % n); }
  double overall(double t) const { return 0.05 + overall_factor * t; }
  bool allowed(long long n, double longest) const {
    const Sizes sizes{{"n", n}};
    const double t = machine.seconds(sizes);
    return t >= limits.t_min_s && t <= longest && overall(t) <= limits.t_max_s &&
           machine.bytes(sizes) <= limits.s_max_bytes;
  }
  // Some size that satisfies everything, found by trying; 0 = none.
  long long somewhere() const {
    const auto multiple = static_cast<double>(size.multiple_of);
    for (auto n = static_cast<double>(size.min); n <= static_cast<double>(size.max) && n < 1e9; n *= 1.02) {
      long long whole = static_cast<long long>(std::ceil(n / multiple)) * size.multiple_of;
      if (size.power_of_two) whole = 1LL << static_cast<int>(std::log2(n));
      if (whole >= size.min && whole <= size.max && allowed(whole, 10 * limits.t_min_s)) return whole;
    }
    return 0;
  }

  std::mt19937 random;
  bool erratic = false;  // some size that fits may well be missed
  Machine machine;
  SizeSpec size;
  SizingLimits limits;
  double overall_factor = 100;
};

SizingResult sized(const Simulated& world, unsigned seed) {
  Sizing sizing({world.size}, world.limits, world.machine.bytes);
  int probes = 0;
  while (!sizing.done() && probes < 20) {
    ++probes;
    const double t = world.machine.seconds(sizing.sizes()), all = world.overall(t);
    const double bytes = world.machine.bytes(sizing.sizes()), limit = world.limits.t_max_s;
    EXPECT_LE(bytes, world.limits.s_max_bytes) << seed;
    const long long n = sizing.sizes().at("n");
    EXPECT_TRUE(n >= world.size.min && n <= world.size.max && n % world.size.multiple_of == 0) << seed;
    EXPECT_TRUE(!world.size.power_of_two || (n & (n - 1)) == 0) << seed;
    sizing.tell({std::min(t, limit), std::min(all, limit + 0.1), bytes, all > limit});
  }
  EXPECT_TRUE(sizing.done()) << seed;
  EXPECT_LE(probes, 10) << seed;
  return sizing.result();
}

TEST(SizingProperties, WithinTheWindowOrTheBindingConstraintIsNamed) {
  int gave_up = 0, window = 0;
  constexpr unsigned tries = 5000;
  for (unsigned seed = 0; seed < tries; ++seed) {
    const Simulated world(seed);
    const SizingResult result = sized(world, seed);
    const double t = result.measured.t_ker_s, t_min = world.limits.t_min_s;
    const bool in_window = t >= t_min && t <= 10 * t_min;
    const long long declared = world.size.value;
    const bool kept = declared > 0 && result.sizes.at("n") == declared && t >= t_min && !result.refused;
    window += in_window || kept;
    if (declared > 0 && world.allowed(declared, 1e9)) {
      EXPECT_TRUE(kept) << seed << ": " << result.sentence;
    }
    if (in_window || kept) {
      EXPECT_EQ(result.bound, SizeBound::none) << seed << ": " << result.sentence;
      continue;
    }
    EXPECT_NE(result.bound, SizeBound::none) << seed << ": " << result.sentence;
    gave_up += result.bound == SizeBound::probes;
    if (result.bound != SizeBound::probes && !world.erratic) {
      EXPECT_EQ(world.somewhere(), 0) << seed << ": " << result.sentence;
    }
    if (result.refused) continue;
    EXPECT_THAT(result.sentence, HasSubstr(t < t_min ? "keeps T_ker below T_min" : "keeps T_ker above"));
    EXPECT_EQ(result.batched, t < t_min);
  }
  EXPECT_LE(gave_up, static_cast<int>(tries / 200));
  EXPECT_GE(window, static_cast<int>(tries / 2));
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
