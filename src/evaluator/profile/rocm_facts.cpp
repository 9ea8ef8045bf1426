// Formulas of raw counters are those of rocprofiler's own list of derived metrics (metrics.xml, gfx9); SIMDs
// number four in a compute unit, and cycles of the whole device are GRBM_GUI_ACTIVE.
#include <utility>

#include "evaluator/profile/counted_facts.hpp"
#include "evaluator/profile/profile_sources.hpp"

namespace noctune {
namespace {

constexpr double counter_confidence = 0.8;
constexpr double lanes = 64;

using F = ProfileFacts;
constexpr CountedFact direct[] = {
    {"duration_ns", &F::seconds, 1e-9},
    {"block_size", &F::block_size, 1},
    {"registers", &F::registers, 1},
    {"shared_bytes", &F::shared_bytes, 1},
    {"scratch_bytes", &F::stack_bytes, 1},
    {"L2CacheHit", &F::l2_hit, 0.01},
    {"VALUBusy", &F::pipe_valu, 0.01},
    {"SALUBusy", &F::pipe_salu, 0.01},
    {"MfmaUtil", &F::pipe_tensor, 0.01},
    {"VALUUtilization", &F::lanes_active, 0.01},
    {"MemUnitStalled", &F::memory_stalled, 0.01},
    {"WriteUnitStalled", &F::write_stalled, 0.01},
    {"LDSBankConflict", &F::bank_conflict_share, 0.01},
    {"OccupancyPercent", &F::warps_active, 0.01},
};

// Of several spellings, the first that has a value.
template <class... Names>
Fact any_of(const KernelMetrics& row, Names... names) {
  Fact out;
  for (const char* name : {names...})
    if (!out) out = row.value(name);
  return out;
}

// Requests that leave L2: so many of them large, the rest small.
Fact request_bytes(const KernelMetrics& row, const std::string& all, const std::string& part,
                   double part_bytes, double other_bytes) {
  const Fact total = any_of(row, (all + "_sum").c_str(), all.c_str());
  const Fact some = any_of(row, (part + "_sum").c_str(), part.c_str());
  if (!total || !some || *some > *total) return {};
  return *some * part_bytes + (*total - *some) * other_bytes;
}

void add_traffic(const KernelMetrics& row, ProfileFacts& out) {
  Fact fetched = any_of(row, "FETCH_SIZE", "FetchSize"), written = any_of(row, "WRITE_SIZE", "WriteSize");
  if (fetched) *fetched *= 1024;
  if (written) *written *= 1024;
  if (!fetched) fetched = request_bytes(row, "TCC_EA_RDREQ", "TCC_EA_RDREQ_32B", 32, 64);
  if (!written) written = request_bytes(row, "TCC_EA_WRREQ", "TCC_EA_WRREQ_64B", 64, 32);
  if (fetched && written) out.dram_bytes = *fetched + *written;
}

void add_hits(const KernelMetrics& row, ProfileFacts& out) {
  const Fact hit = any_of(row, "TCC_HIT_sum", "TCC_HIT"), miss = any_of(row, "TCC_MISS_sum", "TCC_MISS");
  if (!out.l2_hit && hit && miss && *hit + *miss > 0) out.l2_hit = *hit / (*hit + *miss);
}

// Busy shares from instructions and conflicts per cycle of a compute unit.
void add_busy(const KernelMetrics& row, int compute_units, ProfileFacts& out) {
  const Fact vector = row.value("SQ_ACTIVE_INST_VALU"), cycles = row.value("GRBM_GUI_ACTIVE");
  const Fact lane_cycles = row.value("SQ_THREAD_CYCLES_VALU");
  if (!out.lanes_active && lane_cycles && vector && *vector > 0)
    out.lanes_active = *lane_cycles / (*vector * lanes);
  if (compute_units <= 0 || !cycles || *cycles <= 0) return;
  const double unit_cycles = *cycles * compute_units;
  const Fact scalar = row.value("SQ_INST_CYCLES_SALU"), conflicts = row.value("SQ_LDS_BANK_CONFLICT");
  if (!out.pipe_valu && vector) out.pipe_valu = *vector / unit_cycles;
  if (!out.pipe_salu && scalar) out.pipe_salu = *scalar / unit_cycles;
  if (!out.bank_conflict_share && conflicts) out.bank_conflict_share = *conflicts / unit_cycles;
}

void add_launch(const KernelMetrics& row, int compute_units, ProfileFacts& out) {
  const Fact threads = row.value("grid_threads");
  if (threads && out.block_size && *out.block_size > 0) out.blocks = *threads / *out.block_size;
  // How many blocks fit a compute unit is not said; below one for each there is no whole wave.
  if (out.blocks && compute_units > 0 && *out.blocks < compute_units) out.waves = *out.blocks / compute_units;
}

ProfileFacts facts_of(const KernelMetrics& row, const std::string& tool, int compute_units) {
  ProfileFacts out;
  out.source = ProfileSource::counters;
  out.confidence = counter_confidence;
  out.tool = tool;
  out.kernel = row.kernel;
  out.launches = 1;
  apply_counters(row, direct, out);
  add_traffic(row, out);
  add_hits(row, out);
  add_busy(row, compute_units, out);
  add_launch(row, compute_units, out);
  derive_facts(out);
  return out;
}

}  // namespace

ProfileFacts facts_from_rocm(const KernelRows& rows, const std::string& tool, int compute_units) {
  std::vector<ProfileFacts> kernels;
  for (const KernelMetrics& row : rows) kernels.push_back(facts_of(row, tool, compute_units));
  return merge_kernels(kernels);
}

}  // namespace noctune
