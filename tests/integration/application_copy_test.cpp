#include "integration/application_copy.hpp"

#include <gmock/gmock.h>

#include "base/files.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;

class Copy : public testing::Test {
 protected:
  Copy() {
    fs::create_directories(from() / "src/deep");
    put("src/a.cpp", "int a;");
    put("src/deep/b.cpp", "int b;");
    put("run.sh", "#!/bin/sh\n");
    fs::permissions(from() / "run.sh", fs::perms::owner_all);
    fs::last_write_time(from() / "src/a.cpp", fs::file_time_type::clock::now() - std::chrono::hours(5));
    fs::create_symlink("a.cpp", from() / "src/near");
    fs::create_symlink(from() / "src", from() / "far");
    fs::create_symlink("/etc/hosts", from() / "away");
  }
  fs::path from() const { return folder_.path() / "from"; }
  fs::path to() const { return folder_.path() / "to"; }
  void put(const std::string& name, const std::string& text) {
    value_or_throw(write_file(from() / name, text));
  }

  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
};

TEST_F(Copy, KeepsContentTimesModesAndLinks) {
  value_or_throw(copy_application(from(), to()));
  EXPECT_EQ(value_or_throw(read_file(to() / "src/deep/b.cpp")), "int b;");
  EXPECT_EQ(fs::last_write_time(to() / "src/a.cpp"), fs::last_write_time(from() / "src/a.cpp"));
  EXPECT_EQ(fs::status(to() / "run.sh").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::read_symlink(to() / "src/near"), "a.cpp");
  EXPECT_EQ(fs::read_symlink(to() / "far"), to() / "src");
  EXPECT_EQ(fs::read_symlink(to() / "away"), "/etc/hosts");
}

TEST_F(Copy, LeavesOutTheRepositoryAndWhatCMakeTiedToThePlace) {
  fs::create_directories(from() / ".git");
  fs::create_directories(from() / "build");
  put(".git/index", "x");
  put("build/CMakeCache.txt", "x");
  value_or_throw(copy_application(from(), to()));
  EXPECT_FALSE(fs::exists(to() / ".git"));
  EXPECT_FALSE(fs::exists(to() / "build"));
}

TEST_F(Copy, AStateTellsEveryKindOfChange) {
  const FolderState before = value_or_throw(state_of(from()));
  EXPECT_TRUE(changed_entries(before, value_or_throw(state_of(from()))).empty());
  const auto changed = [&] { return changed_entries(before, value_or_throw(state_of(from()))); };
  put("src/a.cpp", "int c;");
  EXPECT_EQ(changed(), std::vector<std::string>{"src/a.cpp"});
  EXPECT_NE(value_or_throw(state_of(from())).sha(), before.sha());
  put("src/a.cpp", "int a;");
  EXPECT_TRUE(changed().empty());
  put("new", "");
  EXPECT_EQ(changed(), std::vector<std::string>{"new"});
  fs::remove(from() / "new");
  fs::permissions(from() / "run.sh", fs::perms::owner_read);
  EXPECT_EQ(changed(), std::vector<std::string>{"run.sh"});
  fs::remove(from() / "away");
  EXPECT_EQ(changed(), (std::vector<std::string>{"away", "run.sh"}));
}

TEST_F(Copy, WhatCannotBeReadIsAnError) {
  EXPECT_FALSE(state_of(folder_.path() / "nowhere"));
  EXPECT_FALSE(copy_application(folder_.path() / "nowhere", to()));
  EXPECT_FALSE(copy_application(from(), folder_.path() / "no" / "where"));
}

}  // namespace
}  // namespace noctune
