#include "evaluator/profile/profilers.hpp"

#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A table of the first rocprof with one counter; two calls of two kernels, the driver's own between them.
std::string dispatches(const std::string& counter, const std::string& second = "edge(float*)") {
  std::string out = "Index,KernelName," + counter + ",DurationNs\n";
  const char* const driver = "void noctune::each_element<noctune::Fill>(noctune::Fill, unsigned long)";
  int index = 0;
  for (const std::string& kernel :
       {std::string("axpy(float*)"), second, std::string(driver), std::string("axpy(float*)"), second}) {
    ++index;
    out += std::to_string(index) + ",\"" + kernel + "\"," + std::to_string(10 * index) + ",1000\n";
  }
  return out;
}

TEST(Profilers, NcuLooksAtWhatLiesBetweenTheMarks) {
  const auto passes = profiler_passes("/opt/nvidia/nsight-compute/ncu");
  ASSERT_EQ(passes.size(), 1u);
  const auto& command = passes[0].command;
  EXPECT_EQ(command.front(), "/opt/nvidia/nsight-compute/ncu");
  EXPECT_THAT(command, Contains("--profile-from-start"));
  EXPECT_THAT(command, Contains("none"));  // clocks
  EXPECT_THAT(command, Not(Contains("-k")));
  EXPECT_THAT(passes[0].table_ends, ElementsAre("profile.csv"));
}

TEST(Profilers, OfAmdRunOnceForEachGroupOfCounters) {
  for (const char* name : {"rocprof", "rocprofv2", "rocprofv3", "hipprof"}) {
    const auto passes = profiler_passes(std::string("/opt/rocm/bin/") + name);
    EXPECT_GE(passes.size(), 3u) << name;
    for (const ProfilerPass& pass : passes) EXPECT_THAT(pass.table_ends, Not(IsEmpty())) << name;
  }
  const auto first = profiler_passes("rocprof").front();
  EXPECT_EQ(first.files.at("counters.txt"), "pmc: FETCH_SIZE\n");
  EXPECT_EQ(profiler_passes("rocprofv3").front().command.back(), "--");
  EXPECT_THAT(profiler_passes("perf"), IsEmpty());
}

TEST(Profilers, ReadARecordedPageWithTheDevicesLimits) {
  ProfileCeilings ceilings;
  const auto facts = read_profile("ncu", {profile_data("ncu-h200-all-metrics.csv")}, ceilings);
  ASSERT_TRUE(facts) << facts.error().text();
  EXPECT_EQ(facts->source, ProfileSource::counters);
  EXPECT_TRUE(facts->dram_bytes);
  EXPECT_TRUE(ceilings.multiprocessors);
}

TEST(Profilers, JoinPassesAndLeaveOutTheDriversKernelsAndTheFirstCall) {
  ProfileCeilings ceilings;
  const auto facts = read_profile("rocprof", {dispatches("FETCH_SIZE"), dispatches("WRITE_SIZE")}, ceilings);
  ASSERT_TRUE(facts) << facts.error().text();
  EXPECT_EQ(facts->tool, "rocprof");
  // Rows 4 and 5 of each table, in units of 1024 bytes.
  EXPECT_DOUBLE_EQ(facts->dram_bytes.value_or(0), 1024 * 2 * (40 + 50));
  EXPECT_DOUBLE_EQ(facts->launches.value_or(0), 2);
}

TEST(Profilers, SayWhyTablesAreOfNoUse) {
  ProfileCeilings ceilings;
  EXPECT_THAT(read_profile("ncu", {"nothing"}, ceilings).error().text(), HasSubstr("ncu"));
  EXPECT_THAT(
      read_profile("rocprof", {dispatches("FETCH_SIZE"), dispatches("WRITE_SIZE", "other(int)")}, ceilings)
          .error()
          .text(),
      HasSubstr("do not fit together"));
  EXPECT_FALSE(read_profile("rocprof", {}, ceilings));
}

}  // namespace
}  // namespace noctune
