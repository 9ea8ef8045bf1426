#include "evaluator/gpu_devices.hpp"

#include <gmock/gmock.h>

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

GpuInfo gpu(int index, const std::string& uuid, GpuVendor vendor = GpuVendor::nvidia) {
  GpuInfo out;
  out.vendor = vendor;
  out.index = index;
  out.uuid = uuid;
  out.name = "a GPU";
  out.pci = "0000:0" + std::to_string(index) + ":00.0";
  out.minor = index;
  return out;
}

std::vector<GpuInfo> four(GpuVendor vendor = GpuVendor::nvidia) {
  return {gpu(0, "GPU-aa00", vendor), gpu(1, "GPU-ab11", vendor), gpu(2, "GPU-bb22", vendor),
          gpu(3, "GPU-cc33", vendor)};
}

std::vector<std::string> uuids(const VisibleGpus& visible) {
  std::vector<std::string> out;
  for (const GpuInfo& device : visible.devices) out.push_back(device.uuid);
  return out;
}

VisibleGpus by_cuda(const std::string& mask, const std::vector<GpuInfo>& all = four()) {
  GpuMasks masks;
  masks.cuda = mask;
  return visible_gpus(all, masks, GpuVendor::nvidia);
}

TEST(VisibleGpus, WithoutAMaskAreAllOfTheVendor) {
  std::vector<GpuInfo> all = four();
  all.push_back(gpu(0, "GPU-0123", GpuVendor::amd));
  const VisibleGpus visible = visible_gpus(all, {}, GpuVendor::nvidia);
  EXPECT_EQ(visible.devices.size(), 4U);
  EXPECT_THAT(visible.notes, IsEmpty());
  EXPECT_THAT(uuids(visible_gpus(all, {}, GpuVendor::amd)), ElementsAre("GPU-0123"));
}

TEST(VisibleGpus, ComeInTheOrderOfTheMask) {
  EXPECT_THAT(uuids(by_cuda("2,0")), ElementsAre("GPU-bb22", "GPU-aa00"));
  EXPECT_THAT(uuids(by_cuda(" 3 , GPU-ab11")), ElementsAre("GPU-cc33", "GPU-ab11"));
  EXPECT_THAT(by_cuda("2,0").notes, ElementsAre("CUDA_VISIBLE_DEVICES=2,0 leaves 2 of 4 devices"));
}

TEST(VisibleGpus, AUuidMayBeCutShortWhileOneDeviceFits) {
  EXPECT_THAT(uuids(by_cuda("GPU-b,GPU-aa")), ElementsAre("GPU-bb22", "GPU-aa00"));
  EXPECT_THAT(by_cuda("GPU-a").devices, IsEmpty());
  EXPECT_THAT(by_cuda("GPU-").devices, IsEmpty());
}

TEST(VisibleGpus, AWrongEntryHidesAllThatFollow) {
  for (const char* mask :
       {"1,7,2", "1,-1,2", "1,,2", "1,NoDevFiles", "1,GPU-zz,2", "1,1,2", "1,x2", "1,bb22"})
    EXPECT_THAT(uuids(by_cuda(mask)), ElementsAre("GPU-ab11")) << mask;
  EXPECT_THAT(by_cuda("1,7,2").notes,
              ElementsAre(HasSubstr("'7' names no device and hides all that follow")));
  EXPECT_THAT(by_cuda("1,1").notes, ElementsAre(HasSubstr("'1' names a device again")));
}

TEST(VisibleGpus, AnEmptyMaskHidesAll) {
  EXPECT_THAT(by_cuda("").devices, IsEmpty());
  EXPECT_THAT(by_cuda("").notes, ElementsAre(HasSubstr("hides all devices")));
  EXPECT_THAT(by_cuda("NoDevFiles").devices, IsEmpty());
}

TEST(VisibleGpus, OfADividedGpuAreItsInstances) {
  std::vector<GpuInfo> all = {gpu(0, "GPU-aa00"), gpu(1, "MIG-1111"), gpu(1, "MIG-2222")};
  all[1].mig = all[2].mig = true;
  EXPECT_THAT(uuids(by_cuda("MIG-2222,MIG-1", all)), ElementsAre("MIG-2222", "MIG-1111"));
  EXPECT_THAT(uuids(by_cuda("1,0", all)), ElementsAre("MIG-1111", "GPU-aa00"));
}

TEST(VisibleGpus, NumbersAmongUnequalGpusAreDoubted) {
  std::vector<GpuInfo> all = four();
  all[3].name = "another GPU";
  EXPECT_THAT(by_cuda("0,1,2,3", all).notes, ElementsAre(HasSubstr("CUDA_DEVICE_ORDER=PCI_BUS_ID")));
  EXPECT_THAT(by_cuda("GPU-aa00,1,2,3", all).notes, IsEmpty());
  GpuMasks masks;
  masks.cuda = "0,1,2,3";
  masks.cuda_order = "PCI_BUS_ID";
  EXPECT_THAT(visible_gpus(all, masks, GpuVendor::nvidia).notes, IsEmpty());
}

TEST(VisibleGpus, HipCountsWithinWhatRocrLeaves) {
  GpuMasks masks;
  masks.rocr = "3,GPU-ab11";
  masks.hip = "1";
  EXPECT_THAT(uuids(visible_gpus(four(GpuVendor::amd), masks, GpuVendor::amd)), ElementsAre("GPU-ab11"));
  masks.hip = "2";
  EXPECT_THAT(visible_gpus(four(GpuVendor::amd), masks, GpuVendor::amd).devices, IsEmpty());
  masks.rocr.reset();
  EXPECT_THAT(uuids(visible_gpus(four(GpuVendor::amd), masks, GpuVendor::amd)), ElementsAre("GPU-bb22"));
}

TEST(VisibleGpus, OnAmdsCudasMaskCountsAlone) {
  GpuMasks masks;
  masks.cuda = "2";
  EXPECT_THAT(uuids(visible_gpus(four(GpuVendor::amd), masks, GpuVendor::amd)), ElementsAre("GPU-bb22"));
  masks.rocr = "2";  // Slurm sets both; counted one within the other nothing would be left
  EXPECT_THAT(uuids(visible_gpus(four(GpuVendor::amd), masks, GpuVendor::amd)), ElementsAre("GPU-bb22"));
}

GpuSeeker seeker(int rank, const std::string& host, std::vector<std::string> visible) {
  return {rank, host, std::move(visible)};
}

std::vector<int> chosen(const std::vector<GpuShare>& shares) {
  std::vector<int> out;
  for (const GpuShare& share : shares) out.push_back(share.chosen);
  return out;
}

TEST(ShareGpus, TheNthEvaluatorOfANodeTakesTheNthVisibleOne) {
  const std::vector<std::string> all = {"a", "b"};
  const auto shares =
      share_gpus({seeker(1, "n1", all), seeker(2, "n2", all), seeker(3, "n1", all), seeker(4, "n2", all)});
  EXPECT_THAT(chosen(shares), ElementsAre(0, 0, 1, 1));
  for (const GpuShare& share : shares) EXPECT_THAT(share.partners, IsEmpty());
}

TEST(ShareGpus, RanksThatSeeOneEachTakeIt) {
  const auto shares = share_gpus({seeker(1, "n", {"a"}), seeker(2, "n", {"b"}), seeker(3, "n", {"c"})});
  EXPECT_THAT(chosen(shares), ElementsAre(0, 0, 0));
  for (const GpuShare& share : shares) EXPECT_THAT(share.partners, IsEmpty());
}

TEST(ShareGpus, HalvesOfANodeAreFilledEach) {
  const auto shares = share_gpus({seeker(1, "n", {"a", "b"}), seeker(2, "n", {"a", "b"}),
                                  seeker(3, "n", {"c", "d"}), seeker(4, "n", {"c", "d"})});
  EXPECT_THAT(chosen(shares), ElementsAre(0, 1, 0, 1));
}

TEST(ShareGpus, MoreRanksThanDevicesTakeTurns) {
  const std::vector<std::string> all = {"a", "b"};
  const auto shares = share_gpus({seeker(1, "n", all), seeker(2, "n", all), seeker(3, "n", all)});
  EXPECT_THAT(chosen(shares), ElementsAre(0, 1, 0));
  EXPECT_THAT(shares[0].partners, ElementsAre(3));
  EXPECT_THAT(shares[1].partners, IsEmpty());
  EXPECT_THAT(shares[2].partners, ElementsAre(1));
}

TEST(ShareGpus, EqualNamesOnTwoNodesAreTwoDevices) {
  const auto shares = share_gpus({seeker(1, "n1", {"0000:65:00.0"}), seeker(2, "n2", {"0000:65:00.0"})});
  EXPECT_THAT(shares[0].partners, IsEmpty());
}

TEST(ShareGpus, WhoSeesNoneGetsNone) {
  const auto shares = share_gpus({seeker(1, "n", {}), seeker(2, "n", {"a"})});
  EXPECT_THAT(chosen(shares), ElementsAre(-1, 0));
}

TEST(WithGpu, NvidiasChildSeesOneUuid) {
  EXPECT_THAT(with_gpu({"PATH=/bin", "CUDA_VISIBLE_DEVICES=0,1", "HIP_VISIBLE_DEVICES=3",
                        "CUDA_DEVICE_ORDER=FASTEST_FIRST", "CUDA_HOME=/cuda"},
                       four()[2]),
              ElementsAre("PATH=/bin", "CUDA_HOME=/cuda", "CUDA_VISIBLE_DEVICES=GPU-bb22",
                          "CUDA_DEVICE_ORDER=PCI_BUS_ID"));
}

TEST(WithGpu, AmdsChildHasOneVariableAlone) {
  const std::vector<std::string> before = {"CUDA_VISIBLE_DEVICES=0", "GPU_DEVICE_ORDINAL=0",
                                           "HIP_VISIBLE_DEVICES=0", "ROCR_VISIBLE_DEVICES=0"};
  EXPECT_THAT(with_gpu(before, gpu(1, "GPU-0123", GpuVendor::amd)),
              ElementsAre("ROCR_VISIBLE_DEVICES=GPU-0123"));
  EXPECT_THAT(with_gpu(before, gpu(1, "", GpuVendor::amd)), ElementsAre("HIP_VISIBLE_DEVICES=1"));
}

TEST(GpuDeviceFiles, AreThoseOfTheDeviceAndTheDriver) {
  EXPECT_THAT(gpu_device_files(four()[2]),
              ElementsAre("/dev/nvidia2", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools"));
  GpuInfo amd = gpu(0, "", GpuVendor::amd);
  amd.minor = 129;
  EXPECT_THAT(gpu_device_files(amd), ElementsAre("/dev/kfd", "/dev/dri/renderD129"));
  amd.minor = -1;
  EXPECT_THAT(gpu_device_files(amd), ElementsAre("/dev/kfd", "/dev/dri"));
}

}  // namespace
}  // namespace noctune
