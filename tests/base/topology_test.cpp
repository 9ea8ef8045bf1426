#include "base/topology.hpp"

#include <gtest/gtest.h>

#include "base/files.hpp"

namespace noctune {
namespace {

TEST(CpuList, IsReadAndWritten) {
  for (const char* text : {"0-3,8", "5", "0,2,4-6", ""}) EXPECT_EQ(cpu_list(parse_cpu_list(text)), text);
  EXPECT_EQ(parse_cpu_list("3,1,1-2"), (std::vector<int>{1, 2, 3}));
}

TEST(CpuList, OfNonsenseIsEmpty) {
  for (const char* text : {"a", "1,", "1-", "-1", "1-2-3", "0-99999999", "1 2"})
    EXPECT_TRUE(parse_cpu_list(text).empty()) << text;
}

// No machine has a device at this address: hwloc does not know it.
class NearTest : public ::testing::Test {
 protected:
  void local_cpus(const std::string& text) {
    std::filesystem::create_directories(folder_.path() / pci_);
    value_or_throw(write_file(folder_.path() / pci_ / "local_cpulist", text));
  }
  std::vector<int> near() const { return cpus_near(pci_, {0, 1, 2, 3, 8}, folder_.path()); }

  const std::string pci_ = "ffff:ff:1f.7";
  const std::vector<int> allowed_ = {0, 1, 2, 3, 8};
  ScratchFolder folder_ = value_or_throw(ScratchFolder::make("pci"));
};

TEST_F(NearTest, TheKernelsListIsCutDownToWhatIsAllowed) {
  local_cpus("2-7,8-9\n");
  EXPECT_EQ(near(), (std::vector<int>{2, 3, 8}));
}

TEST_F(NearTest, WhatIsNotKnownMeansAllAllowedOnes) {
  EXPECT_EQ(near(), allowed_);  // no such file
  for (const char* text : {"", "\n", "nonsense", "16-31"}) {
    local_cpus(text);
    EXPECT_EQ(near(), allowed_);
  }
  EXPECT_EQ(cpus_near("", allowed_), allowed_);
  EXPECT_EQ(cpus_near("../../etc", allowed_), allowed_);
}

TEST(Near, OfAnyDeviceOfThisMachineIsAllowed) {
  const std::vector<int> allowed = allowed_cpus();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/bus/pci/devices", error))
    for (const int cpu : cpus_near(entry.path().filename().string(), allowed))
      EXPECT_TRUE(std::find(allowed.begin(), allowed.end(), cpu) != allowed.end());
  SUCCEED();
}

}  // namespace
}  // namespace noctune
