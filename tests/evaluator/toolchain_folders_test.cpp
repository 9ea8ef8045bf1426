#include "evaluator/toolchain_folders.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"

namespace noctune {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class ToolchainFolders : public testing::Test {
 protected:
  std::string program(const std::string& name) {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    EXPECT_TRUE(write_file(file, "#!/bin/sh\n"));
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  const ScratchFolder folder_ = value_or_throw(ScratchFolder::make("noctune-test"));
  const std::string root_ = fs::canonical(folder_.path());
};

TEST_F(ToolchainFolders, InstallationIsFoundThroughLinks) {
  const std::string real = program("gcc-13/bin/g++");
  fs::create_directories(folder_.path() / "links");
  fs::create_symlink(real, folder_.path() / "links" / "c++");
  const std::string links = folder_.path() / "links";
  EXPECT_THAT(installation_of("c++", "/nowhere:" + links), ElementsAre(links, links, root_ + "/gcc-13"));
  EXPECT_THAT(installation_of(real, ""), Contains(root_ + "/gcc-13"));
  EXPECT_TRUE(installation_of("not-there", links).empty());
}

TEST_F(ToolchainFolders, PackagesOfAStoreComeWithTheirNeighbours) {
  const std::string compiler = program("spack/opt/spack/linux/gcc-13-abc/bin/g++");
  EXPECT_THAT(installation_of(compiler, ""), Contains(root_ + "/spack/opt/spack/linux"));
}

TEST_F(ToolchainFolders, EnvironmentsNameFolders) {
  const auto folders = folders_in({"PATH=/tools/bin:/other", "CPATH=/a:/b", "CUDA_HOME=/cuda",
                                   "HOME=/home/me", "MKLROOT=/mkl", "TERM=xterm", "EMPTY_PATH="});
  EXPECT_THAT(folders, ElementsAre("/tools/bin", "/tools/lib", "/tools/lib64", "/tools/libexec",
                                   "/tools/include", "/other", "/a", "/b", "/cuda", "/mkl"));
}

TEST_F(ToolchainFolders, FlagsNameFolders) {
  EXPECT_THAT(folders_in_flags({"-O2", "-I/a", "-isystem", "/b", "-Wl,-rpath,/c", "-L", "/d", "-fopenmp"}),
              ElementsAre("/a", "/b", "/c", "/d"));
}

TEST_F(ToolchainFolders, PrivatePlacesAreNoTools) {
  fs::create_directories(folder_.path() / "tools" / "inner");
  const fs::path tools = folder_.path() / "tools";
  EXPECT_TRUE(may_be_read(tools, {}));
  EXPECT_FALSE(may_be_read(tools, {tools}));
  EXPECT_FALSE(may_be_read(tools, {tools / "inner"}));  // it would come along
  EXPECT_TRUE(may_be_read(tools / "inner", {tools}));
  EXPECT_FALSE(may_be_read("relative", {}));
  EXPECT_FALSE(may_be_read(tools / "not-there", {}));
  for (const char* place :
       {"/", "/etc", "/etc/ssl", "/proc", "/proc/self", "/tmp", "/home", "/root", "/usr/.."})
    EXPECT_FALSE(may_be_read(place, {})) << place;
  EXPECT_FALSE(may_be_read(fs::current_path(), {}));
  const char* home = std::getenv("HOME");
  EXPECT_FALSE(home && may_be_read(home, {}));
}

}  // namespace
}  // namespace noctune
