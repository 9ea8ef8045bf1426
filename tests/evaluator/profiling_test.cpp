// The profile gate with real compilers and drivers. There is no GPU: a script stands in for a profiler.
#include "evaluator/profiling.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "evaluator_fixture.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class ProfileGate : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    real_ = new RealEvaluator;
    real_->bench->device.ceilings = {{"read 64 MB", 1e9, "B/s", 64e6}, {"fp64 FMA", 1e12, "flop/s", 0}};
    auto sized = sized_bench(*real_, small_task(axpy_spec, axpy_source), {{"n", 400000}}, {{"n", 131}});
    bench_ = sized.bench;
    report_ = sized.report;
    report_.cases.front().bytes = 24 * 400000;
    report_.cases.front().flops = 4 * 400000;
    value_or_throw(bench_->adopt(report_));
  }
  static void TearDownTestSuite() {
    bench_.reset();
    delete real_;
  }

  // A profiler of one line of shell, in a folder of its own.
  DriverTool tool(const std::string& script) {
    const fs::path file = folder_.path() / "profiler";
    value_or_throw(write_file(file, "#!/bin/sh\n" + script + "\n"));
    fs::permissions(file, fs::perms::owner_all);
    return {
        {file.string(), "--list"}, true, {folder_.path().string()}, {{"wanted.txt", "bytes\n"}}, {".csv"}};
  }
  DriverRun run(const DriverTool& with) {
    ProbeRun probe;
    probe.resolved = bench_->cases().front().by_seed.front();
    probe.kind = ProbeKind::profiled;
    return real_->run(bench_->run_profiled(bench_->original().file, with, probe, 20));
  }

  static RealEvaluator* real_;
  static std::shared_ptr<Workbench> bench_;
  static MepReport report_;
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("profiler", "/var/tmp"));
};

RealEvaluator* ProfileGate::real_ = nullptr;
std::shared_ptr<Workbench> ProfileGate::bench_;
MepReport ProfileGate::report_;

TEST_F(ProfileGate, WithoutAProfilerTheTaskItselfTells) {
  const Profiled found = real_->run(profile_version(*real_->bench, bench_, report_, bench_->original()));
  EXPECT_EQ(found.verdict, Verdict::ok) << found.message;
  EXPECT_GT(found.seconds, 0);
  // The ceiling above is so low that no machine is slower.
  EXPECT_THAT(found.guidance, AllOf(StartsWith("Bound by memory (DRAM)"), HasSubstr("no counters here")));
  EXPECT_THAT(found.metrics, Contains(Field(&ProfileMetric::metric, "source:model")));
  EXPECT_THAT(found.metrics, Contains(Field(&ProfileMetric::metric, "class:memory")));
}

TEST_F(ProfileGate, IsOneOfTheEvaluatorsPurposes) {
  EvaluationTask task;
  task.setup = small_task(axpy_spec, axpy_source);
  const Baselined done = real_->run(real_->evaluator->prepare(task.setup));
  ASSERT_TRUE(done.report.usable) << done.report.message;
  task.report = done.report;
  task.candidate.source = task.reference.source = axpy_source;
  task.purpose = Purpose::profile;
  const Evaluation found = real_->run(real_->evaluator->evaluate(task));
  EXPECT_EQ(found.verdict, Verdict::ok) << found.message;
  EXPECT_THAT(found.timings, IsEmpty());
  task.candidate.source = "no code";
  EXPECT_EQ(real_->run(real_->evaluator->evaluate(task)).verdict, Verdict::build_failed);
}

TEST_F(ProfileGate, WithoutATimedCaseThereIsNothingToLookAt) {
  MepReport none = report_;
  none.cases.clear();
  const Profiled found = real_->run(profile_version(*real_->bench, bench_, none, bench_->original()));
  EXPECT_EQ(found.verdict, Verdict::lost);
  EXPECT_THAT(found.message, HasSubstr("no case is timed"));
}

TEST_F(ProfileGate, AToolFindsItsFilesRunsTheDriverAndItsTableComesBack) {
  const DriverRun run =
      this->run(tool("shift; echo \"metric,$(cat wanted.txt)\" > one_profile.csv; exec \"$@\""));
  EXPECT_EQ(run.verdict(), Verdict::ok) << run.message() << run.outcome.output;
  EXPECT_EQ(run.table, "metric,bytes\n");
  ASSERT_TRUE(run.report && run.report->probe);
  EXPECT_EQ(run.report->probe->calls, 1);
}

TEST_F(ProfileGate, AToolIsConfinedAsWhatItRuns) {
  if (real_->helper.support().landlock_error != 0) GTEST_SKIP() << "no Landlock here";
  const fs::path outside = folder_.path() / "outside";
  const DriverRun run = this->run(tool("touch \"$HOME/mine\" && echo home > a.csv; echo x > " +
                                       outside.string() + "; cat /etc/passwd >> a.csv; shift; exec \"$@\""));
  EXPECT_EQ(run.verdict(), Verdict::ok) << run.message() << run.outcome.output;
  EXPECT_EQ(run.table, "home\n");
  EXPECT_FALSE(fs::exists(outside));
}

TEST_F(ProfileGate, OnlyAPlainFileIsATable) {
  const DriverRun run = this->run(tool("ln -s /etc/passwd a.csv; mkdir b.csv; shift; exec \"$@\""));
  EXPECT_EQ(run.verdict(), Verdict::ok) << run.message() << run.outcome.output;
  EXPECT_THAT(run.table, IsEmpty());
}

TEST_F(ProfileGate, CeilingsAreThoseBeyondAndWithinTheLastCache) {
  DeviceFacts device;
  device.last_level_cache_bytes = 60'000'000;
  device.gpu.multiprocessors = 132;
  device.ceilings = {{"read 32 MB", 3.2e12, "B/s", 32e6}, {"read 512 MB", 4.2e12, "B/s", 512e6},
                     {"copy 512 MB", 4.0e12, "B/s", 1e9}, {"fp64 FMA", 3e13, "flop/s", 0},
                     {"fp32 FMA", 5e13, "flop/s", 0},     {"empty launch", 2e-6, "s", 0}};
  ProfileCeilings found = profile_ceilings(device);
  EXPECT_EQ(found.dram_rate, 4.2e12);
  EXPECT_FALSE(found.l2_rate);  // its calls were too short to show it
  EXPECT_EQ(found.flops_fp32, 5e13);
  EXPECT_EQ(found.launch_seconds, 2e-6);
  EXPECT_EQ(found.multiprocessors, 132);
  device.ceilings.front().value = 9e12;
  EXPECT_EQ(profile_ceilings(device).l2_rate, 9e12);
  EXPECT_FALSE(profile_ceilings(DeviceFacts{}).dram_rate);
}

}  // namespace
}  // namespace noctune
