#include "store/lease.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "base/json.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;

class LeaseTest : public testing::Test {
 protected:
  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("lease-test"));
  fs::path path_ = scratch_.path() / "r.h5.lease";

  void write_lease(const Json& change = Json::object()) const {
    Json lease = {{"run", "other"},
                  {"job", "99"},
                  {"host", "far-node"},
                  {"boot", "b"},
                  {"pid", 4242},
                  {"process_start", 1},
                  {"started", wall_seconds() - 500},
                  {"heartbeat", wall_seconds()}};
    lease.update(change);
    value_or_throw(write_file(path_, lease.dump() + "\n"));
  }
  Json content() const { return Json::parse(value_or_throw(read_file(path_))); }
};

TEST_F(LeaseTest, IsHeldUntilReleased) {
  {
    Lease lease = value_or_throw(Lease::take(path_, "run", "17"));
    EXPECT_FALSE(lease.predecessor());
    EXPECT_TRUE(lease.check());
    EXPECT_TRUE(lease.beat());
    EXPECT_EQ(content()["run"], "run");
    EXPECT_EQ(content()["job"], "17");
    EXPECT_EQ(live_owner(path_)->run_uuid, "run");
  }
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_FALSE(live_owner(path_));
}

TEST_F(LeaseTest, ASecondRunIsRefusedWithTheHoldersName) {
  const Lease lease = value_or_throw(Lease::take(path_, "first", "17"));
  const Result<Lease> second = Lease::take(path_, "second", "18");
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().reason.find("process " + std::to_string(::getpid()) + " on "), std::string::npos);
  EXPECT_NE(second.error().reason.find("job 17"), std::string::npos);
  EXPECT_TRUE(lease.check());
}

TEST_F(LeaseTest, ALiveHeartOnAnotherHostIsRespected) {
  write_lease();
  const Result<Lease> lease = Lease::take(path_, "run", "");
  ASSERT_FALSE(lease);
  EXPECT_NE(lease.error().reason.find("process 4242 on far-node"), std::string::npos);
}

TEST_F(LeaseTest, AStoppedHeartIsTakenOver) {
  write_lease({{"heartbeat", wall_seconds() - Lease::stale_after_s - 1}});
  const Lease lease = value_or_throw(Lease::take(path_, "run", ""));
  ASSERT_TRUE(lease.predecessor());
  EXPECT_EQ(lease.predecessor()->run_uuid, "other");
  EXPECT_EQ(content()["run"], "run");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_.path()), fs::directory_iterator()), 1);
}

// The clock of the host that held it was ahead, or ours was put back. Two clocks may differ a little.
TEST_F(LeaseTest, AHeartbeatFromTheFutureIsNoneForLong) {
  write_lease({{"heartbeat", wall_seconds() + Lease::stale_after_s / 2}});
  EXPECT_FALSE(Lease::take(path_, "run", ""));
  write_lease({{"heartbeat", wall_seconds() + 86400}});
  EXPECT_TRUE(Lease::take(path_, "run", ""));
}

TEST_F(LeaseTest, ADeadProcessOfThisHostIsTakenOverAtOnce) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto lease = Lease::take(path_, "child", "");
    ::_exit(lease ? 0 : 1);  // without releasing it
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(fs::exists(path_));
  const Lease lease = value_or_throw(Lease::take(path_, "run", ""));
  EXPECT_EQ(lease.predecessor()->pid, child);
}

// Whoever should wait for it was killed as well.
TEST_F(LeaseTest, ADeadProcessThatNobodyWaitedForIsTakenOverAtOnce) {
  const pid_t child = ::fork();
  if (child == 0) {
    Lease lease = value_or_throw(Lease::take(path_, "child", ""));
    ::_exit(0);
  }
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(content()["run"], "child");
  const auto taken = Lease::take(path_, "run", "");
  EXPECT_TRUE(taken) << taken.error().text();
  ::waitpid(child, nullptr, 0);
}

TEST_F(LeaseTest, AReusedPidIsNoSignOfLife) {
  const Lease mine = value_or_throw(Lease::take(path_, "mine", ""));
  Json lease = content();
  lease["run"] = "other";
  lease["process_start"] = 1;  // our own pid, but another process
  value_or_throw(write_file(path_, lease.dump()));
  EXPECT_TRUE(Lease::take(path_, "run", ""));
}

// The batch system started our job again: the copy before may still run on a node that it has lost.
TEST_F(LeaseTest, AnEarlierStartOfTheSameJobIsTakenOverAtOnce) {
  Lease old = value_or_throw(Lease::take(path_, "run", "17", 0));
  EXPECT_FALSE(Lease::take(path_, "again", "17", 0)) << "the same start";
  EXPECT_FALSE(Lease::take(path_, "other", "18", 1)) << "another job";
  const Lease taken = value_or_throw(Lease::take(path_, "next", "17", 1));
  ASSERT_TRUE(taken.predecessor());
  EXPECT_EQ(taken.predecessor()->run_uuid, "run");
  EXPECT_FALSE(old.check());
  EXPECT_FALSE(old.beat());
}

TEST_F(LeaseTest, WithoutAJobNothingIsGivenUp) {
  const Lease held = value_or_throw(Lease::take(path_, "run", "", 0));
  EXPECT_FALSE(Lease::take(path_, "next", "", 1));
}

TEST_F(LeaseTest, TheOldHolderNoticesAndLeavesTheLeaseAlone) {
  Lease old = value_or_throw(Lease::take(path_, "old", ""));
  Json lease = content();
  lease["heartbeat"] = wall_seconds() - 1000;
  value_or_throw(write_file(path_, lease.dump()));
  {
    Lease fresh = value_or_throw(Lease::take(path_, "fresh", ""));
    const Result<void> lost = old.beat();
    ASSERT_FALSE(lost);
    EXPECT_NE(lost.error().problem.find("lost its lease"), std::string::npos);
    EXPECT_FALSE(old.check());
    old.release();
    EXPECT_TRUE(fresh.check());
    EXPECT_TRUE(fresh.beat());
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(LeaseTest, AHalfWrittenLeaseIsRespectedWhileYoung) {
  value_or_throw(write_file(path_, "{\"run\":"));
  EXPECT_FALSE(Lease::take(path_, "run", ""));
  fs::last_write_time(path_, fs::file_time_type::clock::now() - std::chrono::seconds(200));
  EXPECT_TRUE(Lease::take(path_, "run", ""));
}

TEST_F(LeaseTest, OnlyOneMayTakeOver) {
  write_lease({{"heartbeat", 0}});
  value_or_throw(write_file(path_.string() + ".takeover", ""));
  const Result<Lease> lease = Lease::take(path_, "run", "");
  ASSERT_FALSE(lease);
  EXPECT_NE(lease.error().reason.find("another run is doing so"), std::string::npos);
  fs::last_write_time(path_.string() + ".takeover",
                      fs::file_time_type::clock::now() - std::chrono::seconds(200));
  EXPECT_TRUE(Lease::take(path_, "run", ""));
}

TEST_F(LeaseTest, AnUnwritableFolderIsAnError) {
  const Result<Lease> lease = Lease::take(scratch_.path() / "none" / "r.lease", "run", "");
  ASSERT_FALSE(lease);
  EXPECT_NE(lease.error().hint.find("must exist"), std::string::npos);
}

}  // namespace
}  // namespace noctune
