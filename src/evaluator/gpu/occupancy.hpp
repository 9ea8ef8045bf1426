// How many blocks of a kernel fit on one multiprocessor (NVIDIA: SM, AMD and Hygon: CU), what stops more, and
// the smallest single change that would let more in. Arithmetic alone: no driver, no device.
#pragma once

#include <optional>
#include <string>

#include "base/error.hpp"

namespace noctune {

// Of one multiprocessor. All of `DeviceLimits` may be overridden by what a device says of itself.
struct DeviceLimits {
  std::string arch;      // "sm_90", "gfx906"
  bool assumed = false;  // no public figures: those of the nearest known relative
  int wave = 32;         // threads of a warp or wave
  int max_block_threads = 1024;
  int max_waves = 64;
  int max_blocks = 32;
  int partitions = 4;              // schedulers or SIMDs, each with its share of the registers
  int registers = 65536;           // 32-bit; AMD: vector registers a lane and SIMD
  int register_granularity = 256;  // NVIDIA: a warp's, AMD: a lane's
  int max_thread_registers = 255;
  int max_barriers = 0;  // 0 = no limit of its own
  long long shared_bytes = 0;
  long long shared_block_bytes = 0;     // the most for one block, by cudaFuncSetAttribute where needed
  long long shared_plain_bytes = 0;     // the most without that
  long long shared_reserved_bytes = 0;  // of each block, by the driver
  int shared_granularity = 128;
  bool amd = false;
  bool unified_registers = false;  // gfx90a and later: vector and accumulation registers share one file
};

// For "sm_90", "9.0", "gfx90a", "gfx906:sramecc+:xnack-".
Result<DeviceLimits> device_limits(const std::string& architecture);

struct KernelNeeds {
  int registers = 0;  // a thread's
  int sgprs = 0, agprs = 0;
  int barriers = 0;
  long long static_shared_bytes = 0, dynamic_shared_bytes = 0;
  int block_threads = 256;
};

struct OccupancyStep {
  std::string resource;  // "registers", "shared memory", "block size"
  long long from = 0, to = 0;
  double fraction = 0;  // reached by it
};

struct Occupancy {
  int blocks = 0;
  double fraction = 0;  // of the waves that the multiprocessor can hold
  std::string limiter;  // "registers", "registers and shared memory"; "the block size" where it cannot run
  bool needs_opt_in = false;  // more shared memory than a launch gets without cudaFuncSetAttribute
  std::optional<OccupancyStep> step;
};

// 0 where not even one block fits.
int blocks_per_multiprocessor(const DeviceLimits& limits, const KernelNeeds& needs);

Occupancy occupancy_of(const DeviceLimits& limits, const KernelNeeds& needs);

// "25 % of the warps fit (2 blocks), limited by registers; 80 registers instead of 128 would give 37.5 %".
std::string occupancy_text(const DeviceLimits& limits, const Occupancy& occupancy);

}  // namespace noctune
