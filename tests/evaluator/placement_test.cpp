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

// Near lists of GPUs that are spread evenly over the NUMA nodes.
std::vector<std::vector<int>> near_nodes(const std::vector<CpuCore>& all, int gpus, int numa_nodes) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(gpus));
  for (int i = 0; i < gpus; ++i)
    for (const CpuCore& core : all)
      if (core.numa == i * numa_nodes / gpus)
        out[static_cast<std::size_t>(i)].insert(out[static_cast<std::size_t>(i)].end(), core.cpus.begin(),
                                                core.cpus.end());
  return out;
}

TEST(GpuPlacement, EachHasQuietCoresAndBuildsOnTheRestNearIt) {
  for (const int gpus : {1, 2, 4, 8})
    for (const int count : {16, 17, 23, 61, 128})
      for (const int threads : {1, 2}) {
        const auto all = cores(count, threads, std::min(gpus, 2));
        const auto near = near_nodes(all, gpus, std::min(gpus, 2));
        const auto places = place_gpu_evaluators(all, near);
        ASSERT_EQ(places.size(), static_cast<std::size_t>(gpus));
        std::set<int> seen;
        std::size_t fewest = 1000, most = 0, used = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
          const Placement& place = places[i];
          EXPECT_FALSE(place.shares_token);
          const std::size_t builds = place.build_cpus.size() / static_cast<std::size_t>(threads);
          EXPECT_EQ(place.measured_cpus.size(), builds + place.measured_cpus.size() < 6 ? 1U : 2U);
          EXPECT_FALSE(place.build_cpus.empty());
          for (const auto* cpus : {&place.measured_cpus, &place.build_cpus})
            for (const int cpu : *cpus) {
              EXPECT_TRUE(seen.insert(cpu).second) << "used twice: " << cpu;
              EXPECT_TRUE(std::find(near[i].begin(), near[i].end(), cpu) != near[i].end());
            }
          used += place.measured_cpus.size() + builds;
          fewest = std::min(fewest, place.build_cpus.size());
          most = std::max(most, place.build_cpus.size());
        }
        EXPECT_EQ(used, static_cast<std::size_t>(count));
        EXPECT_LE(most - fewest, static_cast<std::size_t>(2 * threads));
      }
}

TEST(GpuPlacement, UnknownNearnessMeansTheWholeNode) {
  const auto places = place_gpu_evaluators(cores(16), {{}});
  EXPECT_EQ(places.front().measured_cpus, (std::vector<int>{14, 15}));
  EXPECT_EQ(places.front().build_cpus.size(), 14U);
}

TEST(GpuPlacement, TwoCoresServeOneGpu) {
  const auto places = place_gpu_evaluators(cores(2), {{0, 1}});
  EXPECT_EQ(places.front().measured_cpus, std::vector<int>{1});
  EXPECT_EQ(places.front().build_cpus, std::vector<int>{0});
  EXPECT_EQ(place_gpu_evaluators(cores(5), {{}}).front().measured_cpus.size(), 1U);
  EXPECT_EQ(place_gpu_evaluators(cores(6), {{}}).front().measured_cpus.size(), 2U);
}

TEST(GpuPlacement, WhoseNearCoresAreTooFewTakesFromTheWholeNode) {
  const auto places = place_gpu_evaluators(cores(8), {{0}, {1, 2, 3, 4, 5, 6, 7}});
  for (const Placement& place : places) {
    EXPECT_FALSE(place.shares_token);
    EXPECT_FALSE(place.build_cpus.empty());
  }
  for (const int cpu : places[1].build_cpus) EXPECT_NE(cpu, 0);
  // All devices near one core, as some firmware tells.
  EXPECT_FALSE(place_gpu_evaluators(cores(8), {{0}, {0}, {0}, {0}}).back().shares_token);
  // The last has nothing of its own, and what it could share is too little.
  for (const Placement& place : place_gpu_evaluators(cores(6), {{0, 1}, {2, 3, 4, 5}, {0}}))
    EXPECT_FALSE(place.build_cpus.empty());
}

TEST(GpuPlacement, TooFewCoresAreSharedThroughTheToken) {
  for (const int count : {1, 3}) {
    const auto places = place_gpu_evaluators(cores(count), {{0}, {}});
    ASSERT_EQ(places.size(), 2U);
    for (const Placement& place : places) {
      EXPECT_TRUE(place.shares_token);
      EXPECT_EQ(place.measured_cpus.size(), static_cast<std::size_t>(count));
    }
  }
  EXPECT_TRUE(place_gpu_evaluators(cores(4), {}).empty());
  EXPECT_THROW(place_gpu_evaluators({}, {{}}), std::invalid_argument);
}

}  // namespace
}  // namespace noctune
