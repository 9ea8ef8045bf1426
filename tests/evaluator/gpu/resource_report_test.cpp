#include "evaluator/gpu/resource_report.hpp"

#include <gmock/gmock.h>

#include "evaluator/gpu/recorded.hpp"

namespace noctune {
namespace {

TEST(PtxasReport, HasOneEntryForEachKernelAndArchitecture) {
  const ResourceReport report = ptxas_report(recorded("ptxas-sm_80-sm_90.txt"));
  ASSERT_EQ(report.kernels.size(), 14u);
  EXPECT_EQ(resource_sum(report, "sm_80").kernels, 7);
  EXPECT_EQ(resource_sum(report, "sm_90").kernels, 7);
  const KernelResources sum = kernel_of(report, "block_sum(", "sm_90");
  EXPECT_EQ(sum.name, "_Z9block_sumiPKfPd");
  EXPECT_EQ(sum.demangled, "block_sum(int, float const*, double*)");
  EXPECT_EQ(sum.registers, 31);
  EXPECT_EQ(sum.barriers, 1);
  EXPECT_EQ(sum.shared_bytes, 2048);
  EXPECT_EQ(kernel_of(report, "block_sum(", "sm_80").registers, 32);
  EXPECT_EQ(kernel_of(report, "void add_all<double, 2>(", "sm_90").registers, 10);
}

TEST(PtxasReport, KnowsSpillsFromLocalArrays) {
  const ResourceReport report = ptxas_report(recorded("ptxas-sm_80-sm_90.txt"));
  const KernelResources spilling = kernel_of(report, "spilling(", "sm_90");
  EXPECT_EQ(spilling.stack_bytes, 1504);
  EXPECT_EQ(spilling.spill_store_bytes, 2472);
  EXPECT_EQ(spilling.spill_load_bytes, 3376);
  EXPECT_EQ(spilling.local_bytes, 0);
  const KernelResources indexed = kernel_of(report, "indexed(", "sm_90");
  EXPECT_EQ(indexed.local_bytes, 256);
  EXPECT_EQ(indexed.spill_store_bytes + indexed.spill_load_bytes, 0);
}

TEST(PtxasReport, ReadsConstantsWhereTheyArePrinted) {
  const ResourceReport report = ptxas_report(recorded("ptxas-sm_80-sm_90.txt"));
  EXPECT_EQ(kernel_of(report, "scale(", "sm_80").constant_bytes, 376);
  EXPECT_EQ(kernel_of(report, "scale(", "sm_90").constant_bytes, 0);
}

TEST(PtxasReport, KeepsDeviceFunctionsApart) {
  const ResourceReport report = ptxas_report(recorded("ptxas-sm_80-sm_90.txt"));
  ASSERT_EQ(report.functions.size(), 2u);
  EXPECT_EQ(report.functions[0].demangled, "far_away(float, int)");
  EXPECT_EQ(report.functions[0].arch, "sm_80");
  EXPECT_EQ(report.functions[1].arch, "sm_90");
  EXPECT_EQ(kernel_of(report, "calling(", "sm_90").registers, 19);
}

// Older compilers print the device function between a kernel's frame and its registers.
TEST(PtxasReport, GivesRegistersToTheKernelThatWasOpened) {
  const ResourceReport report = ptxas_report(
      "ptxas info    : Compiling entry function 'k' for 'sm_70'\n"
      "ptxas info    : Function properties for k\n"
      "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Function properties for helper\n"
      "    16 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Used 40 registers, 512 bytes smem, 352 bytes cmem[0], 8 bytes cmem[2]\n");
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].registers, 40);
  EXPECT_EQ(report.kernels[0].stack_bytes, 8);
  EXPECT_EQ(report.kernels[0].constant_bytes, 360);
  ASSERT_EQ(report.functions.size(), 1u);
  EXPECT_EQ(report.functions[0].spill_store_bytes, 4);
}

TEST(HipReport, ReadsTheSevenLinesOfAKernel) {
  const ResourceReport report = hip_report(recorded("hipcc-gfx906.txt"), {"gfx906"});
  ASSERT_EQ(report.kernels.size(), 7u);
  const KernelResources sum = kernel_of(report, "block_sum(", "gfx906");
  EXPECT_EQ(sum.registers, 8);
  EXPECT_EQ(sum.sgprs, 12);
  EXPECT_EQ(sum.shared_bytes, 2048);
  EXPECT_FALSE(sum.occupancy);
  const KernelResources spilling = kernel_of(report, "spilling(", "gfx906");
  EXPECT_EQ(spilling.registers, 64);
  EXPECT_EQ(spilling.scratch_bytes, 1140);
  EXPECT_EQ(spilling.spill_store_bytes, 4 * 380);
  EXPECT_EQ(kernel_of(report, "indexed(", "gfx906").local_bytes, 272);
}

TEST(HipReport, ReadsAccumulationRegistersWhereThereAreSome) {
  const ResourceReport report = hip_report(recorded("hipcc-gfx908.txt"), {"gfx908"});
  EXPECT_EQ(kernel_of(report, "spilling(", "gfx908").agprs, 64);
}

TEST(HipReport, GivesRepeatedKernelsToArchitecturesInTheirOrder) {
  const ResourceReport report = hip_report(recorded("hipcc-gfx90a-gfx906.txt"), {"gfx90a", "gfx906"});
  ASSERT_EQ(report.kernels.size(), 14u);
  EXPECT_EQ(kernel_of(report, "spilling(", "gfx906").registers, 64);
  EXPECT_EQ(kernel_of(report, "spilling(", "gfx90a").registers, 128);
}

TEST(HipReport, KeepsDeviceFunctionsApart) {
  const ResourceReport report = hip_report(recorded("hipcc-device-function.txt"), {"gfx906"});
  ASSERT_EQ(report.functions.size(), 1u);
  EXPECT_EQ(report.functions[0].demangled, "apart(float, int)");
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].name, "calling");
  EXPECT_EQ(report.kernels[0].scratch_bytes, 112);
}

// With -save-temps the place stands behind the word "remark".
TEST(HipReport, ReadsTheOtherFormOfPlaces) {
  const std::string end = " [-Rpass-analysis=kernel-resource-usage]\n";
  const ResourceReport report = hip_report("remark: k.hip.cpp:5:0: Function Name: k" + end +
                                               "remark: k.hip.cpp:5:0:     TotalSGPRs: 11" + end +
                                               "remark: k.hip.cpp:5:0:     VGPRs: 64" + end +
                                               "remark: k.hip.cpp:5:0:     LDS Size [bytes/block]: 128" + end,
                                           {"gfx906"});
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].registers, 64);
  EXPECT_EQ(report.kernels[0].sgprs, 11);
  EXPECT_EQ(report.kernels[0].shared_bytes, 128);
}

TEST(ResourceSum, TakesTheMostOfEach) {
  const ResourceSum sum = resource_sum(ptxas_report(recorded("ptxas-sm_80-sm_90.txt")), "sm_90");
  EXPECT_EQ(sum.registers, 32);
  EXPECT_EQ(sum.shared_bytes, 2048);
  EXPECT_EQ(sum.spill_bytes, 2472 + 3376);
  EXPECT_EQ(resource_sum({}).kernels, 0);
}

TEST(AddOccupancy, IgnoresWhatTheCompilerSays) {
  ResourceReport report = hip_report(recorded("hipcc-gfx906.txt"), {"gfx906"});
  add_occupancy(report, 256, 40 * 1024);
  const KernelResources sum = kernel_of(report, "block_sum(", "gfx906");
  ASSERT_TRUE(sum.occupancy);
  EXPECT_DOUBLE_EQ(*sum.occupancy, 0.1);
  EXPECT_EQ(sum.limiter, "shared memory");
}

// Each level names the one before it twice: 40 levels would be 2^40 characters.
TEST(ResourceReports, DoNotWriteOutNamesThatGrowWithoutBound) {
  std::string name = "_Z1fI4pairIiiE";
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char c : digits) name += std::string("S_IS") + c + "_S" + c + "_E";
  name += "Evv";
  const ResourceReport report = ptxas_report("Compiling entry function '" + name + "' for 'sm_90'\n");
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].demangled, name);
}

TEST(ResourceReports, SurviveBrokenText) {
  const std::string end = " [-Rpass-analysis=kernel-resource-usage]\n";
  const std::string nines(60, '9');
  for (const std::string& text : std::vector<std::string>{
           std::string("Compiling entry function '"), std::string("Compiling entry function 'x' for '"),
           "ptxas info : Used " + nines + " registers",
           "ptxas info : Compiling entry function 'x' for 'sm_90'\n: Used " + nines +
               " registers, -5 barriers, bytes cmem[0] bytes cmem[",
           std::string("bytes stack frame, "), std::string("Function properties for \n bytes stack frame, "),
           ": " + end, end, "::" + end, "Function Name: " + end,
           "Function Name: _Z" + nines + end + "VGPRs: " + nines + end,
           "Function Name: k" + end + "VGPRs: -7" + end + "LDS Size [bytes/block]: x" + end,
           std::string(100, '\0')}) {
    for (const KernelResources& one : ptxas_report(text).kernels) EXPECT_GE(one.registers, 0) << text;
    for (const KernelResources& one : hip_report(text, {}).kernels) EXPECT_GE(one.registers, 0) << text;
  }
}

}  // namespace
}  // namespace noctune
