// What profiling found about one call of an entry, in quantities that all vendors share.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace noctune {

enum class Vendor { nvidia, amd, hygon };

// Where the numbers come from, best first: hardware counters, the compiler's resource report, the task's own
// bytes and operations over the measured time.
enum class ProfileSource { counters, compiler, model, none };
const char* to_text(ProfileSource source);

using Fact = std::optional<double>;  // nothing = unknown, never zero

// Shares are fractions, 0 to 1. "Of the longest kernel": what has no mean over several kernels.
struct ProfileFacts {
  ProfileSource source = ProfileSource::none;
  double confidence = 0;            // 0 to 1, in the numbers as a whole
  std::string tool;                 // "ncu", "rocprof", "hipprof"
  std::string kernel;               // the longest
  std::vector<std::string> doubts;  // "l2_hit was 1.03 and is cut to 1"

  Fact seconds, launches;  // under the profiler: for rates, never for verdicts
  Fact dram_bytes, dram_rate, dram_peak_share;
  Fact l2_bytes, l2_rate, l2_hit, l1_hit;
  Fact pipe_fma, pipe_fp64, pipe_alu, pipe_xu, pipe_lsu, pipe_tensor;  // busy share
  Fact pipe_valu, pipe_salu;                                           // of AMD and Hygon
  Fact issue, warps_active, warps_eligible, sm_active;                 // eligible: warps per cycle
  Fact memory_stalled, write_stalled;                                  // share of time, AMD and Hygon
  Fact instructions;

  // Of the longest kernel.
  Fact waves, blocks, block_size, registers, shared_bytes;
  Fact limit_registers, limit_shared, limit_warps, limit_blocks;  // blocks per multiprocessor
  Fact occupancy_limit;                                           // share of warps that these allow
  Fact spill_bytes, stack_bytes;                                  // per thread, by the compiler

  Fact load_requests, store_requests, load_sectors, store_sectors;  // of global memory, 32-byte sectors
  Fact sectors_per_load, sectors_per_store;
  Fact local_sectors, local_share;  // share of all sectors in the first cache
  Fact shared_instructions, shared_wavefronts, bank_conflicts;
  Fact conflicts_per_access;  // extra wavefronts per shared instruction
  Fact bank_conflict_share;   // of time, AMD and Hygon
  Fact stall_long_scoreboard, stall_short_scoreboard, stall_barrier, stall_mio_throttle, stall_lg_throttle,
      stall_math_throttle, stall_wait, stall_no_instruction, stall_membar;  // share of a warp's latency
  Fact lanes_active;                                                        // share of a warp's lanes
  Fact atomic_requests, atomic_sectors, atomic_share;                       // share of sectors in L2
  Fact flops_fp16, flops_fp32, flops_fp64, flops;
};

enum class FactMerge { sum, mean, longest };  // over the kernels of a call; a mean is weighted by time
struct FactField {
  const char* name;
  const char* unit;  // "1" = a share or a number
  Fact ProfileFacts::*value;
  FactMerge merge;
};
// Every fact, once: merging, filling, metrics and guidance walk this list.
const std::vector<FactField>& fact_fields();

// One call of several kernels. A sum needs every kernel's value, a mean those of half of the time.
ProfileFacts merge_kernels(const std::vector<ProfileFacts>& kernels);
// Rates, hits and shares out of what was counted; shares beyond 0 and 1 are cut and doubted.
void derive_facts(ProfileFacts& facts);
// What `facts` lacks, from a source of less confidence.
void fill_gaps(ProfileFacts& facts, const ProfileFacts& lesser);

}  // namespace noctune
