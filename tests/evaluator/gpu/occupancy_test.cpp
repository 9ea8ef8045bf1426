#include "evaluator/gpu/occupancy.hpp"

#include <gmock/gmock.h>

#include <climits>

#ifdef NOCTUNE_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wunused-function"
#include NOCTUNE_CUDA_OCCUPANCY
#pragma GCC diagnostic pop
#endif

namespace noctune {
namespace {

using ::testing::HasSubstr;

DeviceLimits limits_of(const std::string& arch) {
  return value_or_throw(device_limits(arch));
}

KernelNeeds needs(int registers, int threads, long long shared = 0) {
  KernelNeeds out;
  out.registers = registers;
  out.block_threads = threads;
  out.dynamic_shared_bytes = shared;
  return out;
}

TEST(DeviceLimits, AreFoundByEveryUsualName) {
  for (const char* name : {"sm_90", "sm_90a", "compute_90", "9.0"})
    EXPECT_EQ(limits_of(name).arch, "sm_90") << name;
  EXPECT_EQ(limits_of("12.1").arch, "sm_121");
  EXPECT_EQ(limits_of("gfx906:sramecc+:xnack-").arch, "gfx906");
  EXPECT_TRUE(limits_of("gfx936").assumed);
  for (const char* name : {"", "sm_", "sm_1", "9", "gfx1100", "sm_99", "H200", "99999999999"})
    EXPECT_FALSE(device_limits(name)) << name;
}

TEST(Occupancy, OfAnH200) {
  const DeviceLimits h200 = limits_of("9.0");
  const struct {
    int registers, threads;
    long long shared;
    int blocks;
    const char* limiter;
  } cases[] = {{10, 256, 0, 8, "warps"},
               {128, 256, 0, 2, "registers"},
               {255, 256, 0, 1, "registers"},
               {10, 128, 100 << 10, 2, "shared memory"},
               {10, 32, 0, 32, "blocks"},
               {10, 2048, 0, 0, "the block size"},
               {10, 256, 300 << 10, 0, "shared memory"}};
  for (const auto& one : cases) {
    const Occupancy found = occupancy_of(h200, needs(one.registers, one.threads, one.shared));
    EXPECT_EQ(found.blocks, one.blocks) << one.registers << " " << one.threads << " " << one.shared;
    EXPECT_EQ(found.limiter, one.limiter);
  }
  EXPECT_DOUBLE_EQ(occupancy_of(h200, needs(10, 256)).fraction, 1);
  EXPECT_DOUBLE_EQ(occupancy_of(h200, needs(128, 256)).fraction, 0.25);
  EXPECT_TRUE(occupancy_of(h200, needs(10, 128, 100 << 10)).needs_opt_in);
  EXPECT_FALSE(occupancy_of(h200, needs(10, 128, 48 << 10)).needs_opt_in);
}

// LLVM's own figure for gfx906 counts neither dynamic LDS nor whole blocks.
TEST(Occupancy, OfAmd) {
  EXPECT_DOUBLE_EQ(occupancy_of(limits_of("gfx906"), needs(64, 256)).fraction, 0.4);
  EXPECT_DOUBLE_EQ(occupancy_of(limits_of("gfx906"), needs(8, 256, 40 << 10)).fraction, 0.1);
  EXPECT_DOUBLE_EQ(occupancy_of(limits_of("gfx906"), needs(8, 256, 17 << 10)).fraction, 0.3);
  EXPECT_DOUBLE_EQ(occupancy_of(limits_of("gfx906"), needs(8, 64)).fraction, 1);
  EXPECT_DOUBLE_EQ(occupancy_of(limits_of("gfx906"), needs(8, 1024)).fraction, 0.8);
  EXPECT_DOUBLE_EQ(occupancy_of(limits_of("gfx90a"), needs(128, 256)).fraction, 0.5);
  EXPECT_EQ(occupancy_of(limits_of("gfx906"), needs(8, 64, 65792)).blocks, 0);
  KernelNeeds both = needs(100, 256);
  both.agprs = 100;
  EXPECT_EQ(occupancy_of(limits_of("gfx908"), both).blocks, 2);
  EXPECT_EQ(occupancy_of(limits_of("gfx90a"), both).blocks, 2);
  KernelNeeds scalars = needs(8, 256);
  scalars.sgprs = 102;
  EXPECT_EQ(occupancy_of(limits_of("gfx906"), scalars).blocks, 7);
  EXPECT_EQ(occupancy_of(limits_of("gfx936"), needs(64, 256)).blocks,
            occupancy_of(limits_of("gfx906"), needs(64, 256)).blocks);
}

TEST(OccupancyStep, IsTheSmallestThatHelps) {
  const Occupancy registers = occupancy_of(limits_of("sm_90"), needs(128, 256));
  ASSERT_TRUE(registers.step);
  EXPECT_EQ(registers.step->resource, "registers");
  EXPECT_EQ(registers.step->to, 80);
  EXPECT_DOUBLE_EQ(registers.step->fraction, 0.375);
  const Occupancy shared = occupancy_of(limits_of("sm_90"), needs(10, 256, 60 << 10));
  ASSERT_TRUE(shared.step);
  EXPECT_EQ(shared.step->resource, "shared memory");
  EXPECT_EQ(shared.step->from, 60 << 10);
  EXPECT_EQ(occupancy_of(limits_of("sm_90"), needs(10, 256, shared.step->to)).blocks, shared.blocks + 1);
  EXPECT_EQ(occupancy_of(limits_of("sm_90"), needs(10, 256, shared.step->to + 128)).blocks, shared.blocks);
  const Occupancy blocks = occupancy_of(limits_of("sm_90"), needs(10, 32));
  ASSERT_TRUE(blocks.step);
  EXPECT_EQ(blocks.step->resource, "block size");
  EXPECT_EQ(blocks.step->to, 64);
  EXPECT_FALSE(occupancy_of(limits_of("sm_90"), needs(10, 256)).step);
}

TEST(OccupancyText, SaysWhatLimitsAndWhatWouldHelp) {
  const DeviceLimits h200 = limits_of("sm_90");
  EXPECT_EQ(
      occupancy_text(h200, occupancy_of(h200, needs(128, 256))),
      "25.0 % of the warps fit (2 blocks), limited by registers; 80 registers instead of 128 would give "
      "37.5 %");
  EXPECT_THAT(occupancy_text(h200, occupancy_of(h200, needs(10, 256, 300 << 10))),
              HasSubstr("no block fits"));
  const DeviceLimits hygon = limits_of("gfx936");
  EXPECT_THAT(occupancy_text(hygon, occupancy_of(hygon, needs(64, 256))), HasSubstr("gfx936 has no public"));
}

TEST(Occupancy, SurvivesAnyNumbers) {
  for (const char* arch : {"sm_90", "gfx906", "gfx90a"})
    for (const int registers : {INT_MIN, -1, 0, 1, 257, INT_MAX})
      for (const int threads : {INT_MIN, -1, 0, 1, 1025, INT_MAX})
        for (const long long shared : {LLONG_MIN, -1LL, 0LL, LLONG_MAX}) {
          const Occupancy found = occupancy_of(limits_of(arch), needs(registers, threads, shared));
          EXPECT_GE(found.fraction, 0);
          EXPECT_LE(found.fraction, 1);
        }
}

#ifdef NOCTUNE_CUDA_OCCUPANCY
cudaOccDeviceProp properties(const DeviceLimits& limits) {
  cudaOccDeviceProp out;
  const int capability = std::stoi(limits.arch.substr(3));
  out.computeMajor = capability / 10;
  out.computeMinor = capability % 10;
  out.maxThreadsPerBlock = limits.max_block_threads;
  out.maxThreadsPerMultiprocessor = limits.max_waves * limits.wave;
  out.regsPerBlock = out.regsPerMultiprocessor = limits.registers;
  out.warpSize = limits.wave;
  out.sharedMemPerBlock = static_cast<std::size_t>(limits.shared_plain_bytes);
  out.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.shared_bytes);
  out.numSms = 1;
  out.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.shared_block_bytes);
  out.reservedSharedMemPerBlock = static_cast<std::size_t>(limits.shared_reserved_bytes);
  return out;
}

int reference_blocks(const DeviceLimits& limits, const KernelNeeds& asked) {
  const cudaOccDeviceProp device = properties(limits);
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = asked.registers;
  function.sharedSizeBytes = static_cast<std::size_t>(asked.static_shared_bytes);
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = static_cast<std::size_t>(asked.dynamic_shared_bytes);
  function.numBlockBarriers = asked.barriers;
  const cudaOccDeviceState state;
  cudaOccResult result;
  const auto status =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, asked.block_threads,
                                              static_cast<std::size_t>(asked.dynamic_shared_bytes));
  return status == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

TEST(Occupancy, AgreesWithNvidiasOwnCalculator) {
  int compared = 0;
  for (const char* arch : {"7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "10.1", "10.3",
                           "11.0", "12.0", "12.1"})
    for (int registers = 3; registers < 256; registers += 3)
      for (const int threads : {1, 32, 33, 64, 96, 128, 160, 192, 256, 384, 512, 768, 1000, 1024, 1056})
        for (const long long shared : {0LL, 1LL, 1000LL, 4096LL, 10000LL, 31000LL, 49152LL, 65536LL, 101376LL,
                                       101377LL, 166912LL, 232448LL, 232449LL})
          for (const int barriers : {0, 1, 3}) {
            KernelNeeds asked = needs(registers, threads, shared);
            asked.static_shared_bytes = shared % 7 == 0 ? 512 : 0;
            asked.barriers = barriers;
            const DeviceLimits limits = limits_of(arch);
            const int reference = reference_blocks(limits, asked);
            ASSERT_GE(reference, 0) << arch;
            ASSERT_EQ(blocks_per_multiprocessor(limits, asked), reference)
                << arch << " registers " << registers << " threads " << threads << " shared " << shared
                << " barriers " << barriers;
            ++compared;
          }
  EXPECT_GT(compared, 100000);
}
#else
TEST(Occupancy, AgreesWithNvidiasOwnCalculator) {
  GTEST_SKIP() << "cuda_occupancy.h was not found when this was configured";
}
#endif

}  // namespace
}  // namespace noctune
