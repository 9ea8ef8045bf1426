// A scratch folder that is full, cannot be written or goes away is nobody's verdict: what it cuts short is
// `lost`, and judged in full once the folder serves again.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdlib>

#include "base/clock.hpp"
#include "evaluator/scratch_trouble.hpp"
#include "evaluator_fixture.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(ScratchTrouble, ATextAloneIsNoFullDisk) {
  const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-scratch-trouble"));
  const std::string file = (folder.path() / "context.hpp").string();
  value_or_throw(write_file(file, "x"));
  if (fs::space(folder.path()).available > (512U << 20)) {
    EXPECT_EQ(scratch_trouble(folder.path(), {file}, "error: #error No space left on device"), "");
  }
  EXPECT_FALSE(scratch_is_full(folder.path()));
  fs::remove(file);
  EXPECT_THAT(scratch_trouble(folder.path(), {file}, ""), HasSubstr("has lost " + file));
}

// A small disk of its own, with an evaluator that has prepared a MEP on it.
class ScratchFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::mount("tmpfs", disk_.path().c_str(), "tmpfs", 0, "size=64m") != 0)
      GTEST_SKIP() << "mounting a tmpfs needs root";
    mounted_ = true;
    ::setenv("TMPDIR", disk_.path().c_str(), 1);
    real_.emplace();
    ::unsetenv("TMPDIR");
    task_.setup = small_task(axpy_spec, axpy_source);
    PrepareTask prepare = task_.setup;
    const Baselined done = real_->run(real_->evaluator->prepare(std::move(prepare)));
    ASSERT_TRUE(done.report.usable) << done.report.message << done.report.diagnostics;
    task_.report = done.report;
    task_.reference.source = axpy_source;
    task_.reference.proposer = "original";
    task_.reference.sha = candidate_sha(task_.reference);
  }
  void TearDown() override {
    real_.reset();
    if (mounted_) ::umount(disk_.path().c_str());
  }
  // Of the original with a comment, a new version for each.
  Evaluation judge(const std::string& comment, Purpose purpose = Purpose::screen) {
    EvaluationTask task = task_;
    task.purpose = purpose;
    task.candidate.source = axpy_source + ("// " + comment + "\n");
    task.candidate.sha = candidate_sha(task.candidate);
    return real_->run(real_->evaluator->evaluate(std::move(task)));
  }
  void remount(unsigned long flags) const {
    int failed = 0;
    const Stopwatch watch;
    do failed = ::mount("tmpfs", disk_.path().c_str(), "tmpfs", MS_REMOUNT | flags, "size=64m") ? errno : 0;
    while (failed == EBUSY && watch.seconds() < 20);  // until the last report that was removed is closed
    ASSERT_EQ(failed, 0) << errno_text(failed);
  }
  // Leaves so many bytes.
  void fill(std::uintmax_t left) const {
    const std::uintmax_t available = fs::space(disk_.path()).available;
    ASSERT_GT(available, left);
    value_or_throw(write_file(filler_, std::string(available - left, 'x')));
  }

  ScratchFolder disk_ = value_or_throw(ScratchFolder::make("noctune-small-disk"));
  fs::path filler_ = disk_.path() / "filler";
  std::optional<RealEvaluator> real_;
  EvaluationTask task_;
  bool mounted_ = false;
};

TEST_F(ScratchFaults, AFullOneIsNoFaultOfTheCompiledSource) {
  for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{12 << 10}}) {
    fill(left);
    const Evaluation cut = judge("full " + std::to_string(left));
    EXPECT_EQ(cut.verdict, Verdict::lost) << cut.message << cut.diagnostics;
    fs::remove(filler_);
    const Evaluation again = judge("full " + std::to_string(left));
    EXPECT_EQ(again.verdict, Verdict::ok) << again.message << again.diagnostics;
  }
}

TEST_F(ScratchFaults, AFullOneIsNoFaultOfTheProcess) {
  EXPECT_EQ(judge("known").verdict, Verdict::ok);
  fill(100 << 10);  // for the command, but not for the outputs
  const Evaluation cut = judge("known");
  EXPECT_EQ(cut.verdict, Verdict::lost) << cut.message << cut.diagnostics;
  EXPECT_THAT(cut.message, HasSubstr("the scratch folder is full"));
  fs::remove(filler_);
  EXPECT_EQ(judge("known").verdict, Verdict::ok);
}

TEST_F(ScratchFaults, OneThatCannotBeWrittenIsNamed) {
  remount(MS_RDONLY);
  const Evaluation cut = judge("read only");
  EXPECT_EQ(cut.verdict, Verdict::lost) << cut.message << cut.diagnostics;
  EXPECT_THAT(cut.message, HasSubstr("Read-only file system"));
  remount(0);
  EXPECT_EQ(judge("read only").verdict, Verdict::ok);
}

TEST_F(ScratchFaults, OneThatIsGoneIsNamed) {
  EXPECT_EQ(judge("known").verdict, Verdict::ok);
  for (const auto& entry : fs::directory_iterator(real_->scratch.path())) fs::remove_all(entry.path());
  Evaluation cut = judge("gone");
  EXPECT_EQ(cut.verdict, Verdict::lost) << cut.message << cut.diagnostics;
  EXPECT_THAT(cut.message, HasSubstr("the scratch folder has lost"));
  cut = judge("known");
  EXPECT_EQ(cut.verdict, Verdict::lost) << cut.message << cut.diagnostics;
}

}  // namespace
}  // namespace noctune
