#include "evaluator/placement.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace noctune {
namespace {

std::vector<CpuCore> cores(int count, int threads_per_core = 1, int numa_nodes = 1) {
  std::vector<CpuCore> out;
  for (int i = 0; i < count; ++i) {
    CpuCore core;
    core.numa = i * numa_nodes / count;
    for (int t = 0; t < threads_per_core; ++t) core.cpus.push_back(i + t * count);
    out.push_back(core);
  }
  return out;
}

TEST(Placement, TwoCoresAreSharedThroughTheToken) {
  for (const int evaluators : {1, 2, 3}) {
    const auto places = place_evaluators(cores(2), evaluators);
    ASSERT_EQ(places.size(), static_cast<std::size_t>(evaluators));
    for (const Placement& place : places) {
      EXPECT_TRUE(place.shares_token);
      EXPECT_EQ(place.measured_cpus, (std::vector<int>{0, 1}));
      EXPECT_EQ(place.build_cpus, (std::vector<int>{0, 1}));
    }
  }
}

TEST(Placement, ManyCoresAreSplitWithoutOverlap) {
  for (const int count : {4, 8, 16, 64, 128}) {
    for (const int evaluators : {1, 2, 4, 8}) {
      if (count / evaluators < 4) continue;
      std::set<int> seen;
      int total = 0;
      for (const Placement& place : place_evaluators(cores(count), evaluators)) {
        EXPECT_FALSE(place.shares_token);
        EXPECT_FALSE(place.build_cpus.empty());
        EXPECT_GE(place.measured_cpus.size(), 3U);
        for (const auto* list : {&place.measured_cpus, &place.build_cpus}) {
          seen.insert(list->begin(), list->end());
          total += static_cast<int>(list->size());
        }
      }
      EXPECT_EQ(static_cast<int>(seen.size()), total);
      EXPECT_EQ(total, count);
    }
  }
}

TEST(Placement, MeasuresOnOneHardwareThreadOfACore) {
  const Placement place = place_evaluators(cores(8, 2), 1).front();
  EXPECT_EQ(place.measured_cpus.size(), 7U);
  for (const int cpu : place.measured_cpus) EXPECT_LT(cpu, 8);
  EXPECT_EQ(place.build_cpus, (std::vector<int>{0, 8}));
}

TEST(Placement, EvaluatorsKeepToTheirNumaNode) {
  const auto all = cores(16, 1, 2);
  const auto places = place_evaluators(all, 2);
  for (const int cpu : places[0].measured_cpus) EXPECT_EQ(all[static_cast<std::size_t>(cpu)].numa, 0);
  for (const int cpu : places[1].measured_cpus) EXPECT_EQ(all[static_cast<std::size_t>(cpu)].numa, 1);
}

TEST(Placement, NothingToPlace) {
  EXPECT_TRUE(place_evaluators(cores(4), 0).empty());
  EXPECT_THROW(place_evaluators({}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace noctune
