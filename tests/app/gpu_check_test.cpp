#include "app/gpu_check.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "evaluator/gpu_lock.hpp"

namespace noctune {
namespace {

using ::testing::HasSubstr;
using Kind = GpuFinding::Kind;

GpuLibraryPaths none() {
  GpuLibraryPaths out;
  out.nvml = {"libno-such-nvml.so"};
  out.rocm_smi = {"libno-such-smi.so"};
  return out;
}

GpuLibraryPaths fake() {
  GpuLibraryPaths out = none();
  out.nvml = {NOCTUNE_FAKE_NVML_LIBRARY};
  return out;
}

// "what: found" of one kind, a line each.
std::string lines(const std::vector<GpuFinding>& findings, Kind kind) {
  std::string out;
  for (const GpuFinding& one : findings)
    if (one.kind == kind) out += one.what + ": " + one.found + "\n";
  return out;
}

TEST(GpuCheck, OpenmpMissesNoGpuButSaysWhyThereIsNone) {
  const auto findings = check_gpus("openmp", none());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::lacking);
  EXPECT_THAT(findings[0].found, HasSubstr("libno-such-nvml.so cannot be loaded"));
  EXPECT_THAT(findings[0].found, HasSubstr("libno-such-smi.so cannot be loaded"));
}

TEST(GpuCheck, ABackendWithoutItsGpuIsRefused) {
  const auto findings = check_gpus("cuda", none());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::bad);
  EXPECT_THAT(findings[0].found, HasSubstr("none for the backend cuda: libno-such-nvml.so"));
  EXPECT_THAT(findings[0].found, ::testing::Not(HasSubstr("no-such-smi")));
  EXPECT_EQ(check_gpus("hip", fake())[0].kind, Kind::bad);
}

TEST(GpuCheck, TellsOfEachDevice) {
  const ScratchFolder locks = value_or_throw(ScratchFolder::make("locks"));
  const auto findings = check_gpus("cuda", fake(), locks.path());
  const std::string good = lines(findings, Kind::good);
  EXPECT_THAT(good, HasSubstr("gpu: NVIDIA H200, GPU-11111111-aaaa-bbbb-cccc-000000000001, at 0000:3b:00.0"));
  EXPECT_THAT(good, HasSubstr("compute capability 9.0, driver 580.65.06; near cpus "));
  EXPECT_THAT(good, HasSubstr("1980 MHz, 41 C, 77.5 W, counts its energy, throttled: software power cap"));
  EXPECT_THAT(good, HasSubstr("lock: free"));
  EXPECT_THAT(good, HasSubstr("MIG-44444444"));
  EXPECT_THAT(lines(findings, Kind::lacking), HasSubstr("process 1000 computes there too"));
  EXPECT_EQ(lines(findings, Kind::bad), "");
}

TEST(GpuCheck, SaysWhoMeasuresThere) {
  const ScratchFolder locks = value_or_throw(ScratchFolder::make("locks"));
  GpuLock other("GPU-11111111-aaaa-bbbb-cccc-000000000001", locks.path());
  const GpuLock::Hold held = other.try_to_measure();
  ASSERT_TRUE(held);
  EXPECT_THAT(lines(check_gpus("cuda", fake(), locks.path()), Kind::lacking),
              HasSubstr("measured last; this run would wait for its turns"));
}

TEST(GpuCheck, AMaskThatHidesAllIsTheReason) {
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  const auto findings = check_gpus("cuda", fake());
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(lines(findings, Kind::bad), HasSubstr("CUDA_VISIBLE_DEVICES= hides all devices"));
}

}  // namespace
}  // namespace noctune
