#include "app/stop_watch.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>

#include "base/files.hpp"

namespace noctune {
namespace {

class StopWatchTest : public ::testing::Test {
 protected:
  // Runs until `said_` has `lines` lines.
  void run_until(std::size_t lines) {
    while (said_.size() < lines) io_.run_one();
  }
  void end() {
    watch_.stop_watching();
    io_.restart();
    io_.run();
  }

  asio::io_context io_;
  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("noctune-stop-watch"));
  std::vector<std::string> said_;
  StopWatch watch_{
      io_,
      scratch_.path() / "r.h5.stop",
      {[this](const std::string& why, bool urgent) { said_.push_back((urgent ? "urgent: " : "") + why); },
       [this] { said_.push_back("hurry"); }}};
};

TEST_F(StopWatchTest, AWarningLetsWhatRunsEnd) {
  watch_.start();
  std::raise(SIGUSR1);
  run_until(1);
  EXPECT_EQ(said_[0], "signal USR1");
  EXPECT_TRUE(watch_.stopping());
  end();
}

TEST_F(StopWatchTest, TermIsUrgent) {
  watch_.start();
  std::raise(SIGTERM);
  run_until(1);
  EXPECT_EQ(said_[0], "urgent: signal TERM");
  end();
}

TEST_F(StopWatchTest, AnotherSignalHurries) {
  watch_.start();
  std::raise(SIGUSR1);
  run_until(1);
  std::raise(SIGTERM);
  run_until(2);
  EXPECT_EQ(said_[1], "hurry");
  end();
}

// The launcher and the batch system may pass on the same one.
TEST_F(StopWatchTest, TheEchoOfASignalIsNoFurtherOne) {
  watch_.start();
  std::raise(SIGTERM);
  run_until(1);
  std::raise(SIGTERM);
  std::raise(SIGINT);
  run_until(2);
  EXPECT_EQ(said_, (std::vector<std::string>{"urgent: signal TERM", "hurry"}));
  end();
}

TEST_F(StopWatchTest, AStopFileStopsAndAnOldOneIsRemoved) {
  std::ofstream(scratch_.path() / "r.h5.stop") << "old";
  watch_.start();
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "r.h5.stop"));
  std::ofstream(scratch_.path() / "r.h5.stop") << "new";
  run_until(1);
  EXPECT_THAT(said_[0], ::testing::HasSubstr("the stop file"));
  end();
}

TEST_F(StopWatchTest, TheEndOfTheTimeIsUrgent) {
  watch_.limit(1);  // all of it is needed for ending cleanly
  watch_.start();
  run_until(1);
  EXPECT_EQ(said_[0], "urgent: the time limit is near");
  end();
}

TEST_F(StopWatchTest, TheEndOfTheTimeHurriesAStop) {
  watch_.limit(1);
  watch_.start();
  watch_.stop("no device is left");
  run_until(2);
  EXPECT_EQ(said_, (std::vector<std::string>{"no device is left", "hurry"}));
  end();
}

}  // namespace
}  // namespace noctune
