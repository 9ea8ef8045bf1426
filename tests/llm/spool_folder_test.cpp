#include "llm/spool_folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "llm/relay_watch.hpp"
#include "llm/spool_fixture.hpp"

namespace noctune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

class SpoolFolderTest : public SpoolTest {};

TEST_F(SpoolFolderTest, IsPrivate) {
  for (const char* name : {"", "req", "work", "rsp", "done", "bad", "tmp", "relays"}) {
    struct stat facts {};
    ASSERT_EQ(::stat((spool_.path() / name).c_str(), &facts), 0) << name;
    EXPECT_EQ(facts.st_mode & 0777U, 0700U) << name;
  }
}

TEST_F(SpoolFolderTest, APlaceThatCannotBeUsedIsAnErrorThatSaysSo) {
  value_or_throw(write_file(scratch_.path() / "file", "x"));
  const auto refused = SpoolFolder::open(scratch_.path() / "file" / "spool");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), testing::HasSubstr("file/spool"));
}

TEST_F(SpoolFolderTest, OnlyWholeVisibleFilesAreListed) {
  put(1, "a");
  value_or_throw(write_file(spool_.file(SpoolPlace::req, ".hidden.txt"), ""));
  value_or_throw(write_file(spool_.file(SpoolPlace::req, "notes.txt"), ""));
  value_or_throw(write_file(spool_.file(SpoolPlace::req, name_of(2, "b") + ".txt~"), ""));
  EXPECT_THAT(spool_.requests(), ElementsAre(name_of(1, "a")));
  EXPECT_THAT(spool_.list(SpoolPlace::tmp, ""), IsEmpty());
}

TEST_F(SpoolFolderTest, ARequestIsTakenOnce) {
  put(1, "a");
  const SpoolClaim first{name_of(1, "a"), "one"}, second{name_of(1, "a"), "two"};
  EXPECT_TRUE(spool_.take(first));
  EXPECT_FALSE(spool_.take(second));
  ASSERT_EQ(spool_.claims().size(), 1U);
  EXPECT_EQ(spool_.claims()[0].relay, "one");
  EXPECT_TRUE(spool_.give_back(first));
  EXPECT_TRUE(spool_.take(second));
}

TEST_F(SpoolFolderTest, AttemptsAreRememberedWhateverTheFileHolds) {
  const SpoolClaim one{name_of(1, "a"), "one"}, two{name_of(1, "a"), "two"};
  EXPECT_EQ(spool_.attempts(one).sent, 0);
  value_or_throw(spool_.set_attempts(one, {2, 30, 40}));
  EXPECT_EQ(spool_.attempts(one).sent, 2);
  EXPECT_EQ(spool_.attempts(one).micros, 30);
  EXPECT_EQ(spool_.attempts(one).tokens, 40);
  value_or_throw(write_file(spool_.file(SpoolPlace::work, two.sent_file()), "rubbish"));
  EXPECT_EQ(spool_.attempts(two).sent, 1);
  EXPECT_EQ(spool_.senders(one.name).size(), 2U);
  spool_.drop(one);
  ASSERT_EQ(spool_.senders(one.name).size(), 1U);
  EXPECT_EQ(spool_.senders(one.name)[0].relay, "two");
}

TEST_F(SpoolFolderTest, AnArchivedAnswerStillCountsAndAFailureDoesNot) {
  const std::string name = name_of(1, "a");
  value_or_throw(spool_.put(SpoolPlace::rsp, name + ".txt", "answer"));
  value_or_throw(spool_.set_attempts({name, "one"}, {1, 0, 0}));
  spool_.archive_reply(name, true);
  EXPECT_TRUE(spool_.answered(name));
  EXPECT_THAT(spool_.senders(name), IsEmpty());
  const std::string other = name_of(2, "a");
  for (int i = 1; i <= 2; ++i) {
    value_or_throw(spool_.put(SpoolPlace::rsp, other + ".txt", "failure"));
    spool_.archive_reply(other, false);
    EXPECT_FALSE(spool_.answered(other));
    EXPECT_TRUE(spool_.has(SpoolPlace::done, other + ".failed-" + std::to_string(i) + ".txt"));
  }
}

TEST_F(SpoolFolderTest, RejectedFilesSayWhy) {
  value_or_throw(spool_.put(SpoolPlace::rsp, "x.txt", "rubbish"));
  spool_.reject(SpoolPlace::rsp, "x.txt", "because");
  EXPECT_FALSE(spool_.has(SpoolPlace::rsp, "x.txt"));
  EXPECT_EQ(*spool_.read(SpoolPlace::bad, "x.txt"), "rubbish");
  EXPECT_EQ(*spool_.read(SpoolPlace::bad, "x.txt.why"), "because\n");
}

TEST_F(SpoolFolderTest, HugeFilesAndFoldersAreErrors) {
  const fs::path path = spool_.file(SpoolPlace::rsp, "x.txt");
  value_or_throw(write_file(path, ""));
  fs::resize_file(path, (64U << 20U) + 1);  // a hole, no real bytes
  EXPECT_FALSE(spool_.read(SpoolPlace::rsp, "x.txt"));
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_FALSE(spool_.read(SpoolPlace::rsp, "x.txt"));
}

TEST_F(SpoolFolderTest, OldTemporaryFilesAreSwept) {
  value_or_throw(spool_.put(SpoolPlace::tmp, "old", ""));
  value_or_throw(spool_.put(SpoolPlace::tmp, "new", ""));
  fs::last_write_time(spool_.file(SpoolPlace::tmp, "old"),
                      fs::file_time_type::clock::now() - std::chrono::hours(48));
  EXPECT_THAT(open().list(SpoolPlace::tmp, ""), ElementsAre("new"));
}

TEST_F(SpoolFolderTest, ARelayLivesWhileItsHeartbeatGoesOn) {
  RelayWatch watch(spool_, 1000);
  {
    RelayHeartbeat beat(spool_);
    value_or_throw(beat.beat());
    watch.look();
    EXPECT_TRUE(watch.any_alive());
    EXPECT_FALSE(watch.dead(beat.id()));
  }
  watch.look();
  EXPECT_FALSE(watch.any_alive());
  RelayWatch impatient(spool_, -1);  // any silence is too long
  RelayHeartbeat beat(spool_);
  value_or_throw(beat.beat());
  impatient.look();
  EXPECT_TRUE(impatient.dead(beat.id()));
  EXPECT_TRUE(impatient.dead("never-heard-of"));
}

TEST_F(SpoolFolderTest, ARelayWhoseProcessIsGoneIsDeadAtOnce) {
  RelayHeartbeat beat(spool_);
  value_or_throw(beat.beat());
  std::string text = *spool_.read(SpoolPlace::relays, beat.id() + ".txt");
  const std::string own = "pid: " + std::to_string(::getpid());
  text.replace(text.find(own), own.size(), "pid: 2147483646");
  value_or_throw(spool_.put(SpoolPlace::relays, "gone.txt", text));
  value_or_throw(spool_.put(SpoolPlace::relays, "rubbish.txt", "rubbish"));
  RelayWatch watch(spool_, 1000);
  watch.look();
  EXPECT_TRUE(watch.dead("gone"));
  EXPECT_FALSE(watch.dead(beat.id()));
  EXPECT_FALSE(watch.dead("rubbish"));
  watch.clear_dead();
  EXPECT_THAT(spool_.list(SpoolPlace::relays), UnorderedElementsAre(beat.id() + ".txt", "rubbish.txt"));
}

}  // namespace
}  // namespace noctune
