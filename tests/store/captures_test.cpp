#include "store/captures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/files.hpp"
#include "places.hpp"

namespace noctune {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class Captures : public testing::Test {
 protected:
  void run_application(const std::string& environment = {}) const {
    const std::string command = "NOCTUNE_CAPTURE_DIR=" + folder_.string() + " " + environment +
                                " " NOCTUNE_CAPTURE_EXAMPLE " 2>" + said_.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  static const CapturedLaunch& find(const CaptureFile& file, const std::string& kernel,
                                    const std::string& first) {
    for (const CapturedLaunch& one : file.launches())
      if (one.kernel == kernel && one.arguments[0].value == first) return one;
    throw std::runtime_error("no launch of " + kernel + " with " + first);
  }

  ScratchFolder scratch_ = value_or_throw(ScratchFolder::make("captures-test"));
  fs::path folder_ = scratch_.path() / "caught", packed_ = scratch_.path() / "c.h5",
           said_ = scratch_.path() / "said";
};

TEST_F(Captures, KeepsEachShapeOnceWithItsContentsAndCount) {
  run_application();
  const PackedCaptures packed = value_or_throw(pack_captures(folder_, packed_));
  EXPECT_EQ(packed.launches, 3);
  EXPECT_EQ(packed.recorded, 3);
  EXPECT_TRUE(packed.problems.empty());
  const CaptureFile file = value_or_throw(CaptureFile::open(packed_));
  const CapturedLaunch& ten = find(file, "smooth", "10");
  EXPECT_EQ(ten.weight, 3);
  EXPECT_EQ(find(file, "smooth", "12").weight, 2);
  EXPECT_EQ(ten.backend, "openmp");
  ASSERT_EQ(ten.arguments.size(), 4u);
  EXPECT_EQ(ten.arguments[0].type, "int32_t");
  EXPECT_EQ(ten.arguments[1].value, "0");
  EXPECT_EQ(ten.arguments[2].name, "x");
  EXPECT_EQ(ten.arguments[2].role, "in");
  EXPECT_EQ(ten.arguments[2].count, 10);
  const std::string x = value_or_throw(file.contents(ten.arguments[2]));
  ASSERT_EQ(x.size(), 80u);
  double last;
  std::memcpy(&last, x.data() + 72, 8);
  EXPECT_EQ(last, 1.25);
}

TEST_F(Captures, StructsAndNamesThatAreNone) {
  run_application("NOCTUNE_CAPTURE_KERNELS=count");
  value_or_throw(pack_captures(folder_, packed_));
  const CaptureFile file = value_or_throw(CaptureFile::open(packed_));
  ASSERT_EQ(file.launches().size(), 1u);
  const std::vector<CapturedArgument>& arguments = file.launches()[0].arguments;
  EXPECT_EQ(arguments[0].name, "cells_data");
  EXPECT_EQ(arguments[0].type, "bytes:12");
  EXPECT_EQ(arguments[0].length, 84);
  EXPECT_EQ(arguments[2].role, "out");
  EXPECT_TRUE(arguments[2].sha.empty());
}

TEST_F(Captures, LimitsAreKeptAndSaid) {
  run_application("NOCTUNE_CAPTURE_SHAPES=1 NOCTUNE_CAPTURE_SKIP=1");
  EXPECT_THAT(value_or_throw(read_file(said_)), HasSubstr("2 launches of smooth were not kept"));
  value_or_throw(pack_captures(folder_, packed_));
  const CaptureFile file = value_or_throw(CaptureFile::open(packed_));
  ASSERT_EQ(file.launches().size(), 1u);
  EXPECT_EQ(file.launches()[0].arguments[0].value, "12");
  EXPECT_EQ(file.launches()[0].weight, 2);
}

TEST_F(Captures, NoRoomMeansNoContents) {
  run_application("NOCTUNE_CAPTURE_MB=0");
  EXPECT_THAT(value_or_throw(read_file(said_)), HasSubstr("launches of smooth were not kept"));
  const Result<PackedCaptures> packed = pack_captures(folder_, packed_);
  ASSERT_FALSE(packed);
  EXPECT_THAT(packed.error().text(), HasSubstr("holds no capture"));
  EXPECT_FALSE(fs::exists(packed_));
}

TEST_F(Captures, SeveralProcessesAddUp) {
  run_application();
  run_application();
  const PackedCaptures packed = value_or_throw(pack_captures(folder_, packed_));
  EXPECT_EQ(packed.recorded, 6);
  EXPECT_EQ(packed.launches, 3);
  const CaptureFile file = value_or_throw(CaptureFile::open(packed_));
  EXPECT_EQ(find(file, "smooth", "10").weight, 6);
}

TEST_F(Captures, BrokenOnesAreLeftOutWithTheReason) {
  run_application();
  fs::create_directories(folder_ / "late.partial");
  value_or_throw(write_file(folder_ / "late.partial" / "launch.json", "{"));
  fs::create_directories(folder_ / "odd.h.1.1");
  value_or_throw(write_file(folder_ / "odd.h.1.1" / "launch.json", "{\"capture_version\": 3}"));
  const PackedCaptures packed = value_or_throw(pack_captures(folder_, packed_));
  EXPECT_EQ(packed.launches, 3);
  ASSERT_EQ(packed.problems.size(), 2u);
  EXPECT_THAT(packed.problems[0], HasSubstr("not written to its end"));
  EXPECT_THAT(packed.problems[1], HasSubstr("reads versions 1 and 2"));
}

TEST_F(Captures, WithoutTheVariableNothingIsWritten) {
  ASSERT_EQ(std::system("cd " NOCTUNE_BINARY_DIR " && env -u NOCTUNE_CAPTURE_DIR " NOCTUNE_CAPTURE_EXAMPLE),
            0);
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace noctune
