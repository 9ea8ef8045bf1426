#include "base/files.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace noctune {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-files"));
};

TEST_F(Files, WhatIsWrittenIsRead) {
  const std::string bytes("a\0b\n\xff", 5);
  ASSERT_TRUE(write_file(path("x"), bytes));
  EXPECT_EQ(read_file(path("x")).value_or(""), bytes);
  ASSERT_TRUE(write_file(path("x"), "s"));
  EXPECT_EQ(read_file(path("x")).value_or(""), "s");
  ASSERT_TRUE(write_file(path("x"), ""));
  EXPECT_EQ(read_file(path("x")).value_or("?"), "");
}

TEST_F(Files, LargeFilesAreReadWhole) {
  const std::string bytes(300001, 'z');
  ASSERT_TRUE(write_file(path("x"), bytes));
  EXPECT_EQ(read_file(path("x")).value_or("").size(), bytes.size());
}

TEST_F(Files, FailuresNameTheFileAndTheReason) {
  const auto missing = read_file(path("missing"));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("missing: No such file"));
  EXPECT_THAT(read_file(folder_.path()).error().text(), HasSubstr("it is a folder"));
  EXPECT_THAT(write_file(path("no/folder"), "x").error().text(), HasSubstr("no/folder"));
  EXPECT_THAT(replace_file(path("no/folder"), "x").error().text(), HasSubstr("No such file"));
  EXPECT_FALSE(write_file("/dev/full", "x"));
}

TEST_F(Files, ReplacingLeavesNoTemporaryBehind) {
  ASSERT_TRUE(replace_file(path("x"), "one"));
  ASSERT_TRUE(replace_file(path("x"), "two"));
  EXPECT_EQ(read_file(path("x")).value_or(""), "two");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, FailedReplacingKeepsTheOldContent) {
  fs::create_directories(path("target/inside"));
  EXPECT_FALSE(replace_file(path("target"), "x"));  // a folder that is not empty
  EXPECT_TRUE(fs::is_directory(path("target/inside")));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, ReadersOfAReplacedFileKeepTheirs) {
  ASSERT_TRUE(replace_file(path("x"), "one"));
  const Descriptor old(::open(path("x").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(replace_file(path("x"), "two"));
  char text[8] = {};
  EXPECT_EQ(::read(old.get(), text, sizeof text), 3);
  EXPECT_STREQ(text, "one");
}

TEST(ScratchFolders, ArePrivateAndGoWithTheirContent) {
  fs::path path;
  {
    const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-x"));
    path = folder.path();
    struct stat facts {};
    ASSERT_EQ(::stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700U);
    fs::create_directories(path / "deep/er");
    ASSERT_TRUE(write_file(path / "deep/er/file", "x"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolders, DoNotFollowLinksWhenTheyGo) {
  const ScratchFolder kept = value_or_throw(ScratchFolder::make("noctune-kept"));
  ASSERT_TRUE(write_file(kept.path() / "file", "x"));
  {
    const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-x"));
    fs::create_directory_symlink(kept.path(), folder.path() / "link");
  }
  EXPECT_TRUE(fs::exists(kept.path() / "file"));
}

TEST(ScratchFolders, MoveWithoutGoing) {
  ScratchFolder one = value_or_throw(ScratchFolder::make("noctune-x"));
  const fs::path path = one.path();
  const ScratchFolder two = std::move(one);
  EXPECT_EQ(two.path(), path);
  EXPECT_TRUE(fs::exists(path));
}

TEST(ScratchFolders, SayWhereTheyCouldNotBeMade) {
  const auto refused = ScratchFolder::make("noctune-x", "/not/there");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("/not/there"));
  EXPECT_THAT(refused.error().text(), HasSubstr("TMPDIR"));
}

TEST(Descriptors, CloseThemselvesOnce) {
  int number = -1;
  {
    Descriptor one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    number = one.get();
    Descriptor two(std::move(one));
    EXPECT_FALSE(one);
    EXPECT_EQ(two.get(), number);
    EXPECT_GE(::fcntl(number, F_GETFD), 0);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(Descriptors, AssignmentClosesTheOldOne) {
  Descriptor one(::open("/dev/null", O_RDONLY | O_CLOEXEC)), two(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int first = one.get(), second = two.get();
  one = std::move(two);
  EXPECT_EQ(one.get(), second);
  EXPECT_EQ(::fcntl(first, F_GETFD), -1);
  const int released = one.release();
  EXPECT_FALSE(one);
  EXPECT_EQ(::close(released), 0);
}

TEST(ErrnoText, IsInWords) {
  EXPECT_THAT(errno_text(ENOENT), HasSubstr("No such file"));
}

}  // namespace
}  // namespace noctune
