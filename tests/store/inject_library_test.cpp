// The injected library itself, built by g++ where CUPTI's headers are: as its users build it, and against a
// fake CUDA that launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files.hpp"
#include "places.hpp"
#include "store/captures.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

std::string cuda_home() {
  const char* home = std::getenv("CUDA_HOME");
  return home ? home : "/usr/local/cuda";
}
bool has_cupti() {
  return fs::exists(cuda_home() + "/include/cupti.h") ||
         fs::exists(cuda_home() + "/extras/CUPTI/include/cupti.h");
}

class InjectLibrary : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_cupti())
      GTEST_SKIP() << "no cupti.h under " << cuda_home() << ": the library cannot be built here";
  }
  // What the compiler says; empty when it is content.
  std::string compile(const std::string& arguments) const {
    const std::string log = (scratch_.path() / "log").string();
    const std::string command = "g++ -std=c++17 -O1 -Wall -Wextra -Wshadow -Werror " + arguments +
                                " " NOCTUNE_SOURCE_DIR "/share/capture/noctune_inject.cpp -I" + cuda_home() +
                                "/include -I" + cuda_home() + "/extras/CUPTI/include >" + log + " 2>&1";
    return std::system(command.c_str()) == 0 ? "" : command + "\n" + value_or_throw(read_file(log));
  }

  // What the fake application says.
  std::string run(const std::string& environment, bool well) const {
    const fs::path said = scratch_.path() / "said";
    const std::string command = "env " + environment + " " + program_.string() + " 2>" + said.string();
    EXPECT_EQ(std::system(command.c_str()) == 0, well);
    return value_or_throw(read_file(said));
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("inject-library-test"));
  fs::path program_ = scratch_.path() / "application", folder_ = scratch_.path() / "caught";
};

TEST_F(InjectLibrary, BuildsWithoutWarnings) {
  const std::string object = (scratch_.path() / "inject.o").string();
  EXPECT_EQ(compile("-fPIC -c -o " + object), "");
  EXPECT_TRUE(fs::exists(object));
}

TEST_F(InjectLibrary, LaunchesOfAnApplicationAreCaughtAndWhatIsNotIsSaid) {
  ASSERT_EQ(compile("-rdynamic -o " + program_.string() +
                    " " NOCTUNE_SOURCE_DIR "/tests/store/fake_cuda_application.cpp -ldl"),
            "");
  const std::string silent = run("-u NOCTUNE_CAPTURE_DIR", false);  // it misses the library's copies
  EXPECT_EQ(silent.rfind("noctune capture: nothing is captured: NOCTUNE_CAPTURE_DIR is not set\n", 0), 0u);
  const std::string said = run("NOCTUNE_CAPTURE_DIR=" + folder_.string(), true);
  EXPECT_THAT(said, HasSubstr("saxpy is not captured: it is recorded into a graph"));
  EXPECT_THAT(said, HasSubstr("saxpy is not captured: another stream is being recorded"));
  EXPECT_THAT(said, HasSubstr("alien is not captured: its parameters are not known, CUDA_ERROR_OF_THE_FAKE"));
  EXPECT_THAT(said, HasSubstr("_Z4spmvlPKi is launched in clusters"));
  EXPECT_THAT(said, HasSubstr("a CUDA graph is launched"));
  const fs::path packed = scratch_.path() / "c.h5";
  EXPECT_EQ(value_or_throw(pack_captures(folder_, packed)).recorded, 3) << "nothing of what copying launched";
  const CaptureFile file = value_or_throw(CaptureFile::open(packed));
  ASSERT_EQ(file.launches().size(), 3u);
  const CapturedLaunch &long_one = file.launches()[0], &short_one = file.launches()[1],
                       &spmv = file.launches()[2];
  EXPECT_EQ(long_one.weight, 2);
  EXPECT_EQ(short_one.weight, 1);
  EXPECT_EQ(long_one.arguments[0].value, "0xe8030000");
  EXPECT_EQ(long_one.arguments[3].count, 4000);
  const std::string y = value_or_throw(file.contents(long_one.arguments[3]));
  EXPECT_EQ(y.substr(0, 4), std::string("\0\0\x80\x3f", 4)) << "as it was before the first launch";
  EXPECT_EQ(spmv.grid, "1,2,1");
  EXPECT_EQ(spmv.shared, 64);
  EXPECT_EQ(spmv.arguments[0].value, "2");
  EXPECT_EQ(spmv.arguments[1].type, "int32_t");
  EXPECT_EQ(spmv.arguments[1].count, 3);
}

}  // namespace
}  // namespace noctune
