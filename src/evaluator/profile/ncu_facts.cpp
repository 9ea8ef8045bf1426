// Shares come as per cents. A stall's ratio is in warps per issue; over the latency per issue it is the share
// of a warp's time.
#include <utility>

#include "evaluator/profile/counted_facts.hpp"
#include "evaluator/profile/profile_sources.hpp"

namespace noctune {
namespace {

constexpr double counter_confidence = 0.9;
constexpr double sector_bytes = 32;

using F = ProfileFacts;
constexpr CountedFact direct[] = {
    {"gpu__time_duration.sum", &F::seconds, 1e-9},
    {"dram__bytes.sum", &F::dram_bytes, 1},
    {"dram__bytes.sum.per_second", &F::dram_rate, 1},
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", &F::dram_peak_share, 0.01},
    {"lts__t_sectors_srcunit_tex.sum", &F::l2_bytes, sector_bytes},
    {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", &F::pipe_fma, 0.01},
    {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", &F::pipe_fp64, 0.01},
    {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", &F::pipe_alu, 0.01},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", &F::pipe_xu, 0.01},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", &F::pipe_lsu, 0.01},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", &F::pipe_tensor, 0.01},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", &F::issue, 0.01},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", &F::warps_active, 0.01},
    {"smsp__warps_eligible.avg.per_cycle_active", &F::warps_eligible, 1},
    {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", &F::sm_active, 0.01},
    {"smsp__inst_executed.sum", &F::instructions, 1},
    {"launch__waves_per_multiprocessor", &F::waves, 1},
    {"launch__grid_size", &F::blocks, 1},
    {"launch__block_size", &F::block_size, 1},
    {"launch__registers_per_thread", &F::registers, 1},
    {"launch__shared_mem_per_block", &F::shared_bytes, 1},
    {"launch__occupancy_limit_registers", &F::limit_registers, 1},
    {"launch__occupancy_limit_shared_mem", &F::limit_shared, 1},
    {"launch__occupancy_limit_warps", &F::limit_warps, 1},
    {"launch__occupancy_limit_blocks", &F::limit_blocks, 1},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &F::load_requests, 1},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", &F::store_requests, 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &F::load_sectors, 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &F::store_sectors, 1},
    {"smsp__sass_inst_executed_op_shared.sum", &F::shared_instructions, 1},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", &F::shared_wavefronts, 1},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", &F::bank_conflicts, 1},
};
constexpr CountedFact stalls[] = {
    {"long_scoreboard", &F::stall_long_scoreboard, 1},
    {"short_scoreboard", &F::stall_short_scoreboard, 1},
    {"barrier", &F::stall_barrier, 1},
    {"mio_throttle", &F::stall_mio_throttle, 1},
    {"lg_throttle", &F::stall_lg_throttle, 1},
    {"math_pipe_throttle", &F::stall_math_throttle, 1},
    {"wait", &F::stall_wait, 1},
    {"no_instruction", &F::stall_no_instruction, 1},
    {"membar", &F::stall_membar, 1},
};

Fact plus(const Fact& a, const Fact& b) {
  if (!a || !b) return {};
  return *a + *b;
}

// 1 - part / whole.
Fact complement(const Fact& part, const Fact& whole) {
  if (!part || !whole || *whole <= 0) return {};
  return 1 - *part / *whole;
}

void add_stalls(const KernelMetrics& row, ProfileFacts& out) {
  const Fact latency = row.value("smsp__average_warp_latency_per_inst_issued.ratio");
  if (!latency || *latency <= 0) return;
  for (const CountedFact& stall : stalls) {
    const std::string name =
        "smsp__average_warps_issue_stalled_" + std::string(stall.counter) + "_per_issue_active.ratio";
    if (const Fact value = row.value(name)) out.*stall.fact = *value / *latency;
  }
}

// A fused multiply-add counts two; hfma is packed, so it counts four.
void add_flops(const KernelMetrics& row, ProfileFacts& out) {
  const auto threads = [&row](const std::string& name) {
    return row.value("smsp__sass_thread_inst_executed_op_" + name + "_pred_on.sum");
  };
  const auto total = [&threads](const std::string& type) -> Fact {
    const Fact fused = threads(type + "fma"), added = plus(threads(type + "add"), threads(type + "mul"));
    if (!fused || !added) return {};
    return 2 * *fused + *added;
  };
  out.flops_fp32 = total("f");
  out.flops_fp64 = total("d");
  if (const Fact half = threads("hfma")) out.flops_fp16 = 4 * *half;
}

void add_memory(const KernelMetrics& row, ProfileFacts& out) {
  out.l2_hit = complement(row.value("lts__t_sectors_srcunit_tex_lookup_miss.sum"),
                          row.value("lts__t_sectors_srcunit_tex.sum"));
  const Fact hit = row.value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum");
  if (hit && out.load_sectors && *out.load_sectors > 0) out.l1_hit = *hit / *out.load_sectors;
  out.local_sectors = plus(row.value("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"),
                           row.value("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"));
  out.atomic_requests = plus(row.value("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"),
                             row.value("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"));
  out.atomic_sectors = plus(row.value("lts__t_sectors_op_atom.sum"), row.value("lts__t_sectors_op_red.sum"));
}

ProfileFacts facts_of(const KernelMetrics& row) {
  ProfileFacts out;
  out.source = ProfileSource::counters;
  out.confidence = counter_confidence;
  out.tool = "ncu";
  out.kernel = row.kernel;
  out.launches = 1;
  apply_counters(row, direct, out);
  add_memory(row, out);
  add_stalls(row, out);
  add_flops(row, out);
  const Fact lanes = row.value("smsp__thread_inst_executed_per_inst_executed.ratio");
  const Fact width = row.value("device__attribute_warp_size");
  if (lanes) out.lanes_active = *lanes / width.value_or(32);
  derive_facts(out);
  return out;
}

struct DeviceLimit {
  const char* metric;
  Fact ProfileCeilings::*limit;
};
constexpr DeviceLimit device_limits[] = {
    {"device__attribute_multiprocessor_count", &ProfileCeilings::multiprocessors},
    {"launch__sm_count", &ProfileCeilings::multiprocessors},
    {"device__attribute_l2_cache_size", &ProfileCeilings::l2_bytes},
    {"device__attribute_max_registers_per_multiprocessor", &ProfileCeilings::registers},
    {"device__attribute_max_shared_memory_per_multiprocessor", &ProfileCeilings::shared_bytes},
    {"device__attribute_max_warps_per_multiprocessor", &ProfileCeilings::warps},
    {"device__attribute_warp_size", &ProfileCeilings::warp_size}};

}  // namespace

void fill_limits_from_ncu(const KernelRows& rows, ProfileCeilings& ceilings) {
  for (const KernelMetrics& row : rows)
    for (const DeviceLimit& one : device_limits)
      if (!(ceilings.*one.limit)) ceilings.*one.limit = row.value(one.metric);
}

ProfileFacts facts_from_ncu(const KernelRows& rows) {
  std::vector<ProfileFacts> kernels;
  for (const KernelMetrics& row : rows) kernels.push_back(facts_of(row));
  return merge_kernels(kernels);
}

}  // namespace noctune
