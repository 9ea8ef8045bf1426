// Names that differ between chips (dram__bytes_read, tensor operation counts) and throughput breakdowns,
// which cost passes, are left out.
#include "evaluator/profile/ncu_metrics.hpp"

namespace noctune {

const std::vector<NcuMetric>& ncu_metrics() {
  using enum NcuGroup;
  static const std::vector<NcuMetric> metrics = {
      {"gpu__time_duration.sum", base},
      {"sm__cycles_elapsed.avg.per_second", base},
      {"dram__bytes.sum", base},
      {"dram__bytes.sum.per_second", base},
      {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", base},
      {"lts__t_sectors_srcunit_tex.sum", base},
      {"lts__t_sectors_srcunit_tex_lookup_miss.sum", base},
      {"sm__warps_active.avg.pct_of_peak_sustained_active", base},
      {"smsp__issue_active.avg.pct_of_peak_sustained_active", base},
      {"smsp__warps_eligible.avg.per_cycle_active", base},
      {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", base},
      {"smsp__inst_executed.sum", base},
      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", compute},
      {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", compute},
      {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", compute},
      {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", compute},
      {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", compute},
      {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", compute},
      {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", compute},
      {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", compute},
      {"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", compute},
      {"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", compute},
      {"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", compute},
      {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", compute},
      {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", compute},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", access},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", access},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", access},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", access},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", access},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", access},
      {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", access},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", access},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", access},
      {"smsp__sass_inst_executed_op_shared.sum", access},
      {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio", stalls},
      {"smsp__average_warps_issue_stalled_membar_per_issue_active.ratio", stalls},
      {"smsp__average_warp_latency_per_inst_issued.ratio", stalls},
      {"smsp__thread_inst_executed_per_inst_executed.ratio", other},
      {"smsp__sass_average_branch_targets_threads_uniform.pct", other},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", other},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", other},
      {"lts__t_sectors_op_atom.sum", other},
      {"lts__t_sectors_op_red.sum", other},
      {"launch__registers_per_thread", launch},
      {"launch__waves_per_multiprocessor", launch},
      {"launch__occupancy_limit_registers", launch},
      {"launch__occupancy_limit_shared_mem", launch},
      {"launch__occupancy_limit_warps", launch},
      {"launch__occupancy_limit_blocks", launch},
  };
  return metrics;
}

std::vector<std::string> ncu_metric_names() {
  std::vector<std::string> out;
  for (const NcuMetric& metric : ncu_metrics()) out.emplace_back(metric.name);
  return out;
}

}  // namespace noctune
