#include "app/job_time.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/run_to_end.hpp"
#include "places.hpp"

namespace noctune {
namespace {

TEST(JobTime, ReadsSqueuesLocalTime) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  EXPECT_EQ(end_time_from("2026-01-31T21:04:05\n"), 1769893445.0);
  EXPECT_EQ(end_time_from("1970-01-02T00:00:00"), 86400.0);
  for (const char* other :
       {"", "NONE\n", "N/A", "2026-01-31", "2026-01-31T21:04:05 and more", "slurm_load_jobs error"})
    EXPECT_EQ(end_time_from(other), std::nullopt) << other;
}

// A squeue of the test's own in front of PATH.
class JobTimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_END_TIME"}) ::unsetenv(name);
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
  void squeue(const std::string& body) {
    const auto path = scratch_.path() / "squeue";
    value_or_throw(write_file(path, "#!/bin/sh\n" + body + "\n"));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    const std::string old = std::getenv("PATH");
    ::setenv("PATH", (scratch_.path().string() + ":" + old).c_str(), 1);
    left_ = seconds_left();
    ::setenv("PATH", old.c_str(), 1);
  }
  double seconds_left() {
    asio::io_context io;
    ProcessHelper helper = value_or_throw(ProcessHelper::start(NOCTUNE_BINARY_DIR "/bin/noctune-sandbox"));
    helper.attach(io);
    return run_to_end(io, job_seconds_left(helper));
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("noctune-job-time"));
  double left_ = -1;
};

TEST_F(JobTimeTest, IsUnknownOutsideOfAJob) {
  EXPECT_EQ(seconds_left(), 0);
}

TEST_F(JobTimeTest, TheEnvironmentIsBelievedFirst) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  ::setenv("SLURM_JOB_END_TIME", std::to_string(wall_seconds() + 500).c_str(), 1);
  squeue("echo 1970-01-02T00:00:00");
  EXPECT_NEAR(left_, 500, 30);
}

TEST_F(JobTimeTest, SqueueIsAskedForTheJob) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  squeue("test \"$2\" = --jobs=7 && date -u -d '+500 seconds' +%Y-%m-%dT%H:%M:%S");
  EXPECT_NEAR(left_, 500, 30);
}

TEST_F(JobTimeTest, ATimeThatIsOverLeavesASecond) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  squeue("echo 1990-01-02T00:00:00");
  EXPECT_EQ(left_, 1);
}

TEST_F(JobTimeTest, ASqueueThatFailsIsNoLimit) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  squeue("echo 2099-01-02T00:00:00; exit 1");
  EXPECT_EQ(left_, 0);
}

}  // namespace
}  // namespace noctune
