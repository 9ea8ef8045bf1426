#include "evaluator/gpu/gpu_detection.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NvidiaSmi, GivesOneDeviceALine) {
  const auto found = read_nvidia_smi(
      "9.0, GPU-5b1c2d3e-0000-1111-2222-333344445555, NVIDIA H200, 00000000:19:00.0\n"
      "8.0, GPU-aaaaaaaa-0000-1111-2222-333344445555, NVIDIA A100-SXM4, 40GB, 00000001:8A:00.0\r\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].arch, "9.0");
  EXPECT_EQ(found[0].uuid, "GPU-5b1c2d3e-0000-1111-2222-333344445555");
  EXPECT_EQ(found[0].name, "NVIDIA H200");
  EXPECT_EQ(found[0].pci, "0000:19:00.0");
  EXPECT_EQ(found[1].index, 1);
  EXPECT_EQ(found[1].name, "NVIDIA A100-SXM4, 40GB");
  EXPECT_EQ(found[1].pci, "0001:8a:00.0");
  EXPECT_THAT(architectures_of(found), ElementsAre("9.0", "8.0"));
}

TEST(NvidiaSmi, FailuresAreNoDevices) {
  for (const char* text : {"", "No devices were found\n",
                           "NVIDIA-SMI has failed because it couldn't communicate, really, with, it\n",
                           "[N/A], GPU-x, y, 0:0:0.0\n", ",,,\n", "9.0\n", "9.0, GPU-x\n"})
    EXPECT_THAT(read_nvidia_smi(text), IsEmpty()) << text;
}

TEST(Rocminfo, GivesGpuAgentsOnly) {
  const auto found = read_rocminfo(
      "ROCk module is loaded\n=====================\nHSA Agents\n==========\n*******\nAgent 1\n*******\n"
      "  Name:                    AMD EPYC 7763 64-Core Processor\n  Uuid:                    CPU-XX\n"
      "  Marketing Name:          AMD EPYC 7763 64-Core Processor\n"
      "  Device Type:             CPU\n  BDFID:                   0\n"
      "*******\nAgent 2\n*******\n  Name:                    gfx906             \n"
      "  Uuid:                    GPU-ec0678e172fd5d72\n  Marketing Name:          AMD Radeon VII\n"
      "  Device Type:             GPU\n  BDFID:                   256\n  Compute Unit:            60\n"
      "  ISA Info:\n    ISA 1\n      Name:                    amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-\n"
      "*******\nAgent 3\n*******\n  Name:                    gfx906\n  Uuid:                    GPU-XX\n"
      "  Device Type:             GPU\n  BDFID:                   33537\n*** Done ***\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].arch, "gfx906");
  EXPECT_EQ(found[0].uuid, "GPU-ec0678e172fd5d72");
  EXPECT_EQ(found[0].name, "AMD Radeon VII");
  EXPECT_EQ(found[0].pci, "0000:01:00.0");
  EXPECT_EQ(found[1].uuid, "");
  EXPECT_EQ(found[1].pci, "0000:83:00.1");
  EXPECT_THAT(architectures_of(found), ElementsAre("gfx906"));
}

TEST(HySmi, GathersTheLinesOfADevice) {
  const auto found = read_hy_smi(
      "=========== System Management Interface ===========\n"
      "HCU[0]\t\t: Card series:\t\tK100\nHCU[0]\t\t: PCI Bus: 0000:33:00.0\nHCU[0]\t\t: Unique ID: 0x12ab\n"
      "HCU[1]\t\t: PCI Bus: 0000:A3:00.0\nHCU[1]\t\t: HCU use (%): 0.0\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "K100");
  EXPECT_EQ(found[0].uuid, "0x12ab");
  EXPECT_EQ(found[0].pci, "0000:33:00.0");
  EXPECT_EQ(found[1].pci, "0000:a3:00.0");
  EXPECT_THAT(architectures_of(found), IsEmpty());
}

TEST(Detection, SurvivesBrokenText) {
  for (const char* text :
       {"", ":", "[", "]:", "[]:", "x[]:", "x[99999999999]: PCI Bus: :", "Agent ",
        "Agent 1\n:", "Agent 1\nName: gfx906\nDevice Type: GPU\nBDFID: -1\n", "x[1]:", ":::::", "\n\n"}) {
    EXPECT_LE(read_rocminfo(text).size(), 1u) << text;
    EXPECT_LE(read_hy_smi(text).size(), 1u) << text;
  }
  for (const char* bad : {"", "19:00.0:", "zz", "::::", "00000000:19:00.00"})
    EXPECT_EQ(plain_pci(bad), "") << bad;
  EXPECT_EQ(plain_pci("19:00.0"), "0000:19:00.0");
}

}  // namespace
}  // namespace noctune
