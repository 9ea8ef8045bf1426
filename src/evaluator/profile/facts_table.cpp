#include "evaluator/profile/profile_facts.hpp"

namespace noctune {

const char* to_text(ProfileSource source) {
  switch (source) {
    case ProfileSource::counters:
      return "counters";
    case ProfileSource::compiler:
      return "compiler";
    case ProfileSource::model:
      return "model";
    case ProfileSource::none:
      return "none";
  }
  return "none";
}

const std::vector<FactField>& fact_fields() {
  using F = ProfileFacts;
  using enum FactMerge;
  static const std::vector<FactField> fields = {
      {"seconds", "s", &F::seconds, sum},
      {"launches", "1", &F::launches, sum},
      {"dram_bytes", "B", &F::dram_bytes, sum},
      {"dram_rate", "B/s", &F::dram_rate, mean},
      {"dram_peak_share", "1", &F::dram_peak_share, mean},
      {"l2_bytes", "B", &F::l2_bytes, sum},
      {"l2_rate", "B/s", &F::l2_rate, mean},
      {"l2_hit", "1", &F::l2_hit, mean},
      {"l1_hit", "1", &F::l1_hit, mean},
      {"pipe_fma", "1", &F::pipe_fma, mean},
      {"pipe_fp64", "1", &F::pipe_fp64, mean},
      {"pipe_alu", "1", &F::pipe_alu, mean},
      {"pipe_xu", "1", &F::pipe_xu, mean},
      {"pipe_lsu", "1", &F::pipe_lsu, mean},
      {"pipe_tensor", "1", &F::pipe_tensor, mean},
      {"pipe_valu", "1", &F::pipe_valu, mean},
      {"pipe_salu", "1", &F::pipe_salu, mean},
      {"issue", "1", &F::issue, mean},
      {"warps_active", "1", &F::warps_active, mean},
      {"warps_eligible", "warp", &F::warps_eligible, mean},
      {"sm_active", "1", &F::sm_active, mean},
      {"memory_stalled", "1", &F::memory_stalled, mean},
      {"write_stalled", "1", &F::write_stalled, mean},
      {"instructions", "1", &F::instructions, sum},
      {"waves", "1", &F::waves, longest},
      {"blocks", "1", &F::blocks, longest},
      {"block_size", "thread", &F::block_size, longest},
      {"registers", "register", &F::registers, longest},
      {"shared_bytes", "B", &F::shared_bytes, longest},
      {"limit_registers", "block", &F::limit_registers, longest},
      {"limit_shared", "block", &F::limit_shared, longest},
      {"limit_warps", "block", &F::limit_warps, longest},
      {"limit_blocks", "block", &F::limit_blocks, longest},
      {"occupancy_limit", "1", &F::occupancy_limit, longest},
      {"spill_bytes", "B", &F::spill_bytes, longest},
      {"stack_bytes", "B", &F::stack_bytes, longest},
      {"load_requests", "1", &F::load_requests, sum},
      {"store_requests", "1", &F::store_requests, sum},
      {"load_sectors", "sector", &F::load_sectors, sum},
      {"store_sectors", "sector", &F::store_sectors, sum},
      {"sectors_per_load", "sector", &F::sectors_per_load, mean},
      {"sectors_per_store", "sector", &F::sectors_per_store, mean},
      {"local_sectors", "sector", &F::local_sectors, sum},
      {"local_share", "1", &F::local_share, mean},
      {"shared_instructions", "1", &F::shared_instructions, sum},
      {"shared_wavefronts", "1", &F::shared_wavefronts, sum},
      {"bank_conflicts", "1", &F::bank_conflicts, sum},
      {"conflicts_per_access", "1", &F::conflicts_per_access, mean},
      {"bank_conflict_share", "1", &F::bank_conflict_share, mean},
      {"stall_long_scoreboard", "1", &F::stall_long_scoreboard, mean},
      {"stall_short_scoreboard", "1", &F::stall_short_scoreboard, mean},
      {"stall_barrier", "1", &F::stall_barrier, mean},
      {"stall_mio_throttle", "1", &F::stall_mio_throttle, mean},
      {"stall_lg_throttle", "1", &F::stall_lg_throttle, mean},
      {"stall_math_throttle", "1", &F::stall_math_throttle, mean},
      {"stall_wait", "1", &F::stall_wait, mean},
      {"stall_no_instruction", "1", &F::stall_no_instruction, mean},
      {"stall_membar", "1", &F::stall_membar, mean},
      {"lanes_active", "1", &F::lanes_active, mean},
      {"atomic_requests", "1", &F::atomic_requests, sum},
      {"atomic_sectors", "sector", &F::atomic_sectors, sum},
      {"atomic_share", "1", &F::atomic_share, mean},
      {"flops_fp16", "flop", &F::flops_fp16, sum},
      {"flops_fp32", "flop", &F::flops_fp32, sum},
      {"flops_fp64", "flop", &F::flops_fp64, sum},
      {"flops", "flop", &F::flops, sum},
  };
  return fields;
}

}  // namespace noctune
