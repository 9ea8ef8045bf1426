#include "base/gpu_management.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.hpp"
#include "base/rocm_smi.hpp"

namespace noctune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A variable that is gone at the end of its scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

GpuLibraryPaths nvml() {
  GpuLibraryPaths out;
  out.nvml = {NOCTUNE_FAKE_NVML_LIBRARY};
  out.rocm_smi = {};
  return out;
}

GpuLibraryPaths rocm_smi(const std::filesystem::path& dri) {
  GpuLibraryPaths out;
  out.nvml = {};
  out.rocm_smi = {"libno-such.so", NOCTUNE_FAKE_ROCM_SMI_LIBRARY};
  out.kfd = "/no/such/folder";
  out.dri = dri;
  return out;
}

// Device files that may be opened.
ScratchFolder device_files(const std::vector<std::string>& names) {
  ScratchFolder out = value_or_throw(ScratchFolder::make("dri"));
  for (const std::string& name : names) value_or_throw(write_file(out.path() / name, ""));
  return out;
}

TEST(PciAddress, IsLowerCaseWithFourDigitsOfDomain) {
  EXPECT_EQ(pci_address("00000000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(pci_address("0001:af:1f.7"), "0001:af:1f.7");
  EXPECT_EQ(pci_address("00010000:01:00.0"), "10000:01:00.0");
  for (const char* wrong : {"", "3b:00.0", "0000:3b:00.0x", "gpu", "0000:3b:00"})
    EXPECT_EQ(pci_address(wrong), "");
}

TEST(GpuManagement, NamesWhatEachLibrarySays) {
  GpuLibraryPaths paths;
  paths.nvml = {"libno-such-nvml.so"};
  paths.rocm_smi = {"libno-such-smi.so"};
  const GpuManagement gpus(paths);
  EXPECT_TRUE(gpus.devices().empty());
  EXPECT_THAT(gpus.problems(), ElementsAre(HasSubstr("libno-such-nvml.so cannot be loaded"),
                                           HasSubstr("libno-such-smi.so cannot be loaded")));
}

TEST(GpuManagement, ALibraryWithoutTheFunctionsIsRefused) {
  GpuLibraryPaths paths = nvml();
  paths.nvml = {NOCTUNE_FAKE_ROCM_SMI_LIBRARY};
  EXPECT_THAT(GpuManagement(paths).problems(), ElementsAre(HasSubstr("lacks functions of NVML")));
}

TEST(Nvml, ListsWhatCanBeOpenedAndInstancesInPlaceOfADividedGpu) {
  const GpuManagement gpus(nvml());
  EXPECT_TRUE(gpus.problems().empty());
  ASSERT_EQ(gpus.devices().size(), 3U);
  const GpuInfo& whole = gpus.devices()[0];
  EXPECT_EQ(whole.index, 0);
  EXPECT_EQ(whole.uuid, "GPU-11111111-aaaa-bbbb-cccc-000000000001");
  EXPECT_EQ(whole.name, "NVIDIA H200");
  EXPECT_EQ(whole.pci, "0000:3b:00.0");
  EXPECT_EQ(whole.architecture, "9.0");
  EXPECT_EQ(whole.memory_bytes, 150754820096LL);
  EXPECT_EQ(whole.minor, 3);
  EXPECT_EQ(whole.driver, "580.65.06");
  EXPECT_FALSE(whole.mig);
  const GpuInfo& instance = gpus.devices()[2];
  EXPECT_EQ(instance.index, 1);  // the withheld one has no number
  EXPECT_TRUE(instance.mig);
  EXPECT_EQ(instance.uuid, "MIG-44444444-aaaa-bbbb-cccc-000000000004");
  EXPECT_EQ(instance.pci, "0001:af:00.0");
  EXPECT_EQ(instance.memory_bytes, 20937965568LL);
}

TEST(Nvml, TellsAMomentAndWhatItCannotTell) {
  const GpuManagement gpus(nvml());
  const GpuState state = gpus.state(gpus.devices()[0]);
  EXPECT_DOUBLE_EQ(state.sm_clock_hz, 1.98e9);
  EXPECT_EQ(state.throttle, 4);
  EXPECT_DOUBLE_EQ(state.temperature_c, 41);
  EXPECT_DOUBLE_EQ(state.power_w, 77.5);
  EXPECT_DOUBLE_EQ(state.energy_mj, 123456789012.0);
  EXPECT_DOUBLE_EQ(gpus.state(gpus.devices()[1]).power_w, -1);
  GpuInfo elsewhere = gpus.devices()[0];
  elsewhere.handle = 17;
  EXPECT_DOUBLE_EQ(gpus.state(elsewhere).sm_clock_hz, -1);
}

TEST(Nvml, FindsMoreProcessesThanItExpected) {
  const GpuManagement gpus(nvml());
  const std::vector<int> processes = gpus.processes(gpus.devices()[0]);
  ASSERT_EQ(processes.size(), 70U);
  EXPECT_EQ(processes.back(), 1069);
  EXPECT_TRUE(gpus.processes(gpus.devices()[1]).empty());
}

TEST(Nvml, SaysWhyThereIsNothing) {
  const std::pair<const char*, const char*> cases[] = {
      {"no driver", "Driver Not Loaded"}, {"forbidden", "Insufficient Permissions"}, {"none", "no GPU"}};
  for (const auto& [how, text] : cases) {
    const Variable failing("NOCTUNE_FAKE_NVML", how);
    const GpuManagement gpus(nvml());
    EXPECT_TRUE(gpus.devices().empty());
    EXPECT_THAT(gpus.problems(), ElementsAre(HasSubstr(text)));
  }
}

TEST(GfxName, HasHexadecimalMinorAndStep) {
  EXPECT_EQ(gfx_name(90006), "gfx906");
  EXPECT_EQ(gfx_name(90010), "gfx90a");
  EXPECT_EQ(gfx_name(90402), "gfx942");
  EXPECT_EQ(gfx_name(90306), "gfx936");
  EXPECT_EQ(gfx_name(110000), "gfx1100");
}

TEST(RocmSmi, ListsDevicesWithTheDriversFilesBesideTheLibrary) {
  const ScratchFolder kfd = value_or_throw(ScratchFolder::make("kfd"));
  const auto node = kfd.path() / "topology" / "nodes" / "1";
  std::filesystem::create_directories(node);
  std::filesystem::create_directories(kfd.path() / "topology" / "nodes" / "0");
  std::filesystem::create_directories(kfd.path() / "proc" / "4711");
  std::filesystem::create_directories(kfd.path() / "proc" / "4712");
  std::filesystem::create_directories(kfd.path() / "proc" / "nonsense");
  // 0x6500 = bus 65
  value_or_throw(
      write_file(node / "properties",
                 "cpu_cores_count 0\nlocation_id 25856\ndomain 1\ngfx_target_version 90010\nbroken\n"));
  const ScratchFolder dri = device_files({"renderD128", "renderD129"});
  GpuLibraryPaths paths = rocm_smi(dri.path());
  paths.kfd = kfd.path();
  const GpuManagement gpus(paths);
  ASSERT_EQ(gpus.devices().size(), 2U);
  const GpuInfo& first = gpus.devices()[0];
  EXPECT_EQ(first.vendor, GpuVendor::amd);
  EXPECT_EQ(first.pci, "0001:65:00.0");
  EXPECT_EQ(first.architecture, "gfx90a");
  EXPECT_EQ(first.uuid, "GPU-00000000abcd1234");
  EXPECT_EQ(first.minor, 128);
  EXPECT_EQ(first.driver, "6.3.6");
  EXPECT_EQ(gpus.processes(first), std::vector<int>{4711});
  EXPECT_EQ(gpus.devices()[1].pci, "0000:c1:01.0");
  EXPECT_EQ(gpus.devices()[1].uuid, "");
  EXPECT_EQ(gpus.devices()[1].architecture, "");
  EXPECT_TRUE(gpus.processes(gpus.devices()[1]).empty());
}

TEST(RocmSmi, CountsOnlyWhatMayBeOpened) {
  const ScratchFolder second = device_files({"renderD129"}), none = device_files({});
  const GpuManagement gpus(rocm_smi(second.path()));
  ASSERT_EQ(gpus.devices().size(), 1U);
  EXPECT_EQ(gpus.devices()[0].index, 0);
  EXPECT_EQ(gpus.devices()[0].name, "DCU");
  EXPECT_THAT(GpuManagement(rocm_smi(none.path())).problems(),
              ElementsAre(HasSubstr("none of ROCm SMI's 2 GPUs can be opened")));
}

TEST(RocmSmi, UnderstandsClocksInBothForms) {
  const ScratchFolder dri = device_files({"renderD128", "renderD129"});
  const GpuManagement gpus(rocm_smi(dri.path()));
  ASSERT_EQ(gpus.devices().size(), 2U);
  for (const GpuInfo& device : gpus.devices()) {
    EXPECT_DOUBLE_EQ(gpus.state(device).sm_clock_hz, 1.7e9);
    const Variable newer("NOCTUNE_FAKE_ROCM", "newer");
    EXPECT_DOUBLE_EQ(gpus.state(device).sm_clock_hz, 1.7e9);
  }
  const GpuState state = gpus.state(gpus.devices()[0]);
  EXPECT_DOUBLE_EQ(state.temperature_c, 37);
  EXPECT_DOUBLE_EQ(state.power_w, 42);
  EXPECT_DOUBLE_EQ(state.energy_mj, 15250);
  EXPECT_EQ(state.throttle, -1);
  EXPECT_DOUBLE_EQ(gpus.state(gpus.devices()[1]).energy_mj, -1);
}

}  // namespace
}  // namespace noctune
