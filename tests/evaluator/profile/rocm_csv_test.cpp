#include "evaluator/profile/rocm_csv.hpp"

#include <random>

#include "profile_fixture.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;

KernelRows rows_of(const Result<KernelRows>& found) {
  EXPECT_TRUE(found) << (found ? "" : found.error().text());
  return found.value_or(KernelRows{});
}

TEST(RocprofCsv, HasOneRowPerDispatch) {
  const KernelRows rows = rows_of(read_rocprof_csv(profile_data("rocprof-v1.csv")));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].kernel, "axpy(int, float, float const*, float*)");
  EXPECT_EQ(rows[0].process, "4711");
  EXPECT_DOUBLE_EQ(*rows[0].value("FETCH_SIZE"), 8192);
  EXPECT_DOUBLE_EQ(*rows[0].value("grid_threads"), 1048576);
  EXPECT_DOUBLE_EQ(*rows[0].value("registers"), 8);
  EXPECT_DOUBLE_EQ(*rows[1].value("duration_ns"), 60000);
  EXPECT_DOUBLE_EQ(*rows[1].value("LDSBankConflict"), 12);
  EXPECT_FALSE(rows[0].value("queue-id"));
  EXPECT_FALSE(rows[0].value("begin_ns"));
}

TEST(RocprofCsv, PassesOverBannersAndTakesADuration) {
  const std::string text =
      "RPL: on '221130' from '/opt/rocm'\nROCProfiler: input from \"in.xml\"\n"
      "Index,KernelName,grd,wgr,vgpr,VALUBusy,DurationNs\n0,\"k.kd\",64,64,4,68.14,120\n";
  const KernelRows rows = rows_of(read_rocprof_csv(text));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].kernel, "k");
  EXPECT_DOUBLE_EQ(*rows[0].value("duration_ns"), 120);
  EXPECT_DOUBLE_EQ(*rows[0].value("registers"), 4);
}

TEST(RocprofCsv, SaysWhatIsMissing) {
  EXPECT_THAT(read_rocprof_csv("nothing").error().text(), HasSubstr("rocprof holds no table"));
  EXPECT_THAT(read_rocprof_csv("Index,KernelName\n").error().text(), HasSubstr("no dispatches"));
  const std::string whole = profile_data("rocprof-v1.csv");
  EXPECT_THAT(read_rocprof_csv(whole.substr(0, whole.size() - 3)).error().text(), HasSubstr("cut off"));
}

TEST(Rocprofv3Csv, CollectsTheLinesOfADispatch) {
  const KernelRows rows = rows_of(read_rocprofv3_csv(profile_data("rocprofv3-counter-collection.csv")));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].process, "36499");
  EXPECT_DOUBLE_EQ(*rows[0].value("WRITE_SIZE"), 4096);
  EXPECT_DOUBLE_EQ(*rows[0].value("OccupancyPercent"), 43.425904);
  EXPECT_DOUBLE_EQ(*rows[0].value("duration_ns"), 20000);
  EXPECT_DOUBLE_EQ(*rows[0].value("scratch_bytes"), 64);
  EXPECT_EQ(rows[1].kernel, "edge(float*)");
  EXPECT_FALSE(rows[1].value("OccupancyPercent"));
}

TEST(Rocprofv3Csv, AddsUpTheInstancesOfACounter) {
  const std::string head =
      "\"Correlation_Id\",\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n";
  const KernelRows rows =
      rows_of(read_rocprofv3_csv(head + "1,1,\"k\",\"TCC_HIT\",5\n1,1,\"k\",\"TCC_HIT\",7\n"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(*rows[0].value("TCC_HIT"), 12);
  EXPECT_FALSE(read_rocprofv3_csv(head));
}

TEST(HipprofCsv, AddsUpIndexedCountersAndJoinsItsPasses) {
  std::vector<KernelRows> passes;
  for (const char* name : {"hipprof-pmc.csv", "hipprof-pmc-read.csv", "hipprof-pmc-write.csv"})
    passes.push_back(rows_of(read_hipprof_csv(profile_data(name))));
  const KernelRows rows = rows_of(join_passes(passes));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(*rows[0].value("TCC_HIT"), 800);
  EXPECT_DOUBLE_EQ(*rows[0].value("TCC_EA_RDREQ"), 2000);
  EXPECT_DOUBLE_EQ(*rows[0].value("TCC_EA_WRREQ_64B"), 900);
  EXPECT_DOUBLE_EQ(*rows[0].value("duration_ns"), 20000);
}

TEST(HipprofCsv, AnUnknownInstanceLeavesTheSumUnknown) {
  const KernelRows rows = rows_of(read_hipprof_csv("Index,KernelName,A[0],A[1]\n0,\"k\",1,n/a\n"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].value("A"));
}

TEST(JoinPasses, RefusesRunsThatDiffer) {
  const KernelRows one = {{"1", "a", {}}, {"1", "b", {}}};
  EXPECT_TRUE(join_passes({one, one}));
  EXPECT_FALSE(join_passes({one, {{"1", "a", {}}}}));
  EXPECT_FALSE(join_passes({one, {{"1", "b", {}}, {"1", "a", {}}}}));
  EXPECT_FALSE(join_passes({}));
}

TEST(RowsOfCall, PassOverWarmUp) {
  const KernelRows all = {{"1", "a", {}}, {"1", "b", {}}, {"1", "c", {}}};
  EXPECT_EQ(rows_of_call(all, 1, 2).front().kernel, "b");
  EXPECT_EQ(rows_of_call(all, 1, 9).size(), 2u);
  EXPECT_TRUE(rows_of_call(all, 5, 1).empty());
}

TEST(RocmCsv, SurvivesNoise) {
  std::mt19937 random(11);
  for (const char* name : {"rocprof-v1.csv", "rocprofv3-counter-collection.csv", "hipprof-pmc.csv"}) {
    const std::string whole = profile_data(name);
    for (int i = 0; i < 300; ++i) {
      std::string text = whole.substr(0, random() % whole.size());
      for (int k = 0; k < 5 && !text.empty(); ++k) text[random() % text.size()] = "\",\n\0[a9"[random() % 7];
      for (const auto& found : {read_rocprof_csv(text), read_rocprofv3_csv(text), read_hipprof_csv(text)})
        EXPECT_TRUE(found ? !found->empty() : !found.error().problem.empty());
    }
  }
}

}  // namespace
}  // namespace noctune
