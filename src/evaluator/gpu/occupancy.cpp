// One limit after the other, each as a number of blocks; the smallest counts. NVIDIA's rules are those of
// cuda_occupancy.h: registers come to warps in units, each scheduler has a quarter of them, and the hardware
// checks a block as if its warps filled all schedulers.
#include "evaluator/gpu/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "base/text.hpp"

namespace noctune {
namespace {

constexpr int no_limit = std::numeric_limits<int>::max();

long long rounded_up(long long value, long long unit) {
  return (value + unit - 1) / unit * unit;
}

int waves_of(const DeviceLimits& limits, const KernelNeeds& needs) {
  return (needs.block_threads + limits.wave - 1) / limits.wave;
}

int blocks_by_warp_registers(const DeviceLimits& limits, const KernelNeeds& needs, int waves) {
  if (needs.registers <= 0) return no_limit;
  const long long of_warp =
      rounded_up(static_cast<long long>(needs.registers) * limits.wave, limits.register_granularity);
  if (needs.registers > limits.max_thread_registers ||
      of_warp * rounded_up(waves, limits.partitions) > limits.registers)
    return 0;
  return static_cast<int>(limits.registers / limits.partitions / of_warp * limits.partitions / waves);
}

// Scalar registers of gfx9: 800 for each SIMD in units of 16.
int waves_by_scalar_registers(int sgprs) {
  return sgprs <= 0 ? no_limit : static_cast<int>(800 / rounded_up(sgprs, 16));
}

int blocks_by_lane_registers(const DeviceLimits& limits, const KernelNeeds& needs, int waves) {
  long long vectors = std::max(needs.registers, needs.agprs);
  if (limits.unified_registers && needs.agprs > 0) vectors = rounded_up(needs.registers, 4) + needs.agprs;
  if (vectors > limits.max_thread_registers) return 0;
  int of_simd = waves_by_scalar_registers(needs.sgprs);
  if (vectors > 0)
    of_simd = std::min(of_simd,
                       static_cast<int>(limits.registers / rounded_up(vectors, limits.register_granularity)));
  return of_simd == no_limit ? no_limit : of_simd * limits.partitions / waves;
}

int blocks_by_shared_memory(const DeviceLimits& limits, const KernelNeeds& needs) {
  const long long own = needs.static_shared_bytes + needs.dynamic_shared_bytes;
  if (own > limits.shared_block_bytes) return 0;
  const long long taken = rounded_up(own + limits.shared_reserved_bytes, limits.shared_granularity);
  return taken <= 0 ? no_limit : static_cast<int>(limits.shared_bytes / taken);
}

struct Bound {
  const char* name;
  int blocks;
};

std::array<Bound, 5> bounds_of(const DeviceLimits& limits, const KernelNeeds& needs) {
  const int waves = std::max(waves_of(limits, needs), 1);
  const bool block_fits = needs.block_threads > 0 && needs.block_threads <= limits.max_block_threads;
  const bool barrier_free = limits.amd && waves == 1;
  return {{{"registers", limits.amd ? blocks_by_lane_registers(limits, needs, waves)
                                    : blocks_by_warp_registers(limits, needs, waves)},
           {"shared memory", blocks_by_shared_memory(limits, needs)},
           {limits.amd ? "waves" : "warps", block_fits ? limits.max_waves / waves : 0},
           {"blocks", barrier_free ? no_limit : limits.max_blocks},
           {"barriers", limits.max_barriers > 0 && needs.barriers > 0 ? limits.max_barriers / needs.barriers
                                                                      : no_limit}}};
}

int blocks_of(const DeviceLimits& limits, const KernelNeeds& needs) {
  int out = no_limit;
  for (const Bound& bound : bounds_of(limits, needs)) out = std::min(out, bound.blocks);
  return out;
}

double fraction_of(const DeviceLimits& limits, const KernelNeeds& needs) {
  return static_cast<double>(blocks_of(limits, needs)) * waves_of(limits, needs) / limits.max_waves;
}

std::string limiter_of(const DeviceLimits& limits, const KernelNeeds& needs, int blocks) {
  if (needs.block_threads <= 0 || needs.block_threads > limits.max_block_threads) return "the block size";
  std::string out;
  for (const Bound& bound : bounds_of(limits, needs))
    if (bound.blocks == blocks) out += (out.empty() ? "" : " and ") + std::string(bound.name);
  return out;
}

// The first of the values from, from + by, ... (`count` of them) at which more waves fit.
template <class Set>
std::optional<OccupancyStep> search(const DeviceLimits& limits, const KernelNeeds& needs,
                                    const char* resource, long long from, long long by, int count, Set set) {
  const double now = fraction_of(limits, needs);
  for (int i = 1; i <= count && from + i * by >= 0; ++i) {
    KernelNeeds other = needs;
    set(other, from + i * by);
    const double then = fraction_of(limits, other);
    if (then > now) return OccupancyStep{resource, from, from + i * by, then};
  }
  return {};
}

// Registers are cut singly, shared memory by its granularity, blocks grow and shrink by waves.
std::optional<OccupancyStep> smallest_step(const DeviceLimits& limits, const KernelNeeds& needs) {
  const long long shared = needs.static_shared_bytes + needs.dynamic_shared_bytes;
  const long long whole_waves = static_cast<long long>(waves_of(limits, needs)) * limits.wave;
  const auto set_threads = [](KernelNeeds& n, long long v) { n.block_threads = static_cast<int>(v); };
  const int most_waves = limits.max_block_threads / limits.wave;
  const auto set_shared = [](KernelNeeds& n, long long v) {
    n.static_shared_bytes = v;
    n.dynamic_shared_bytes = 0;
  };
  // Below a whole unit first: 1000 bytes of 128 are cut to 896.
  const long long unit = limits.shared_granularity;
  const long long top =
      rounded_up(shared + limits.shared_reserved_bytes, unit) - limits.shared_reserved_bytes;
  const std::optional<OccupancyStep> steps[] = {
      search(limits, needs, "registers", needs.registers, -1, std::clamp(needs.registers - 1, 0, 512),
             [](KernelNeeds& n, long long v) { n.registers = static_cast<int>(v); }),
      search(limits, needs, "shared memory", top, -unit, static_cast<int>(std::min(top / unit, 4096LL)),
             set_shared),
      search(limits, needs, "block size", whole_waves, -limits.wave, most_waves, set_threads),
      search(limits, needs, "block size", whole_waves, limits.wave, most_waves, set_threads)};
  std::optional<OccupancyStep> best;
  const auto size = [](const OccupancyStep& s) {
    return static_cast<double>(std::abs(s.to - s.from)) / static_cast<double>(std::max(s.from, 1LL));
  };
  for (const auto& step : steps)
    if (step && step->to > 0 && (!best || size(*step) < size(*best))) best = step;
  if (best && best->resource == "shared memory") best->from = shared;
  return best;
}

// Reports are read from text that candidates can write to.
bool sane(const KernelNeeds& needs) {
  constexpr long long most = 1 << 30;
  const auto within = [](long long value) { return value >= 0 && value <= most; };
  return within(needs.registers) && within(needs.sgprs) && within(needs.agprs) && within(needs.barriers) &&
         within(needs.static_shared_bytes) && within(needs.dynamic_shared_bytes) &&
         within(needs.block_threads);
}

}  // namespace

int blocks_per_multiprocessor(const DeviceLimits& limits, const KernelNeeds& needs) {
  return sane(needs) ? blocks_of(limits, needs) : 0;
}

Occupancy occupancy_of(const DeviceLimits& limits, const KernelNeeds& needs) {
  Occupancy out;
  if (!sane(needs)) {
    out.limiter = "numbers that no kernel has";
    return out;
  }
  out.blocks = blocks_of(limits, needs);
  out.fraction = out.blocks > 0 ? fraction_of(limits, needs) : 0;
  out.limiter = limiter_of(limits, needs, out.blocks);
  out.needs_opt_in = needs.static_shared_bytes + needs.dynamic_shared_bytes > limits.shared_plain_bytes;
  if (out.fraction < 1) out.step = smallest_step(limits, needs);
  return out;
}

std::string occupancy_text(const DeviceLimits& limits, const Occupancy& occupancy) {
  const std::string waves = limits.amd ? "waves" : "warps";
  std::string out = occupancy.blocks == 0 ? "no block fits"
                                          : percent(occupancy.fraction) + " of the " + waves + " fit (" +
                                                std::to_string(occupancy.blocks) +
                                                (occupancy.blocks == 1 ? " block)" : " blocks)");
  if (!occupancy.limiter.empty()) out += ", limited by " + occupancy.limiter;
  if (occupancy.step) {
    const OccupancyStep& step = *occupancy.step;
    const std::string unit = step.resource == "registers"       ? " registers"
                             : step.resource == "shared memory" ? " bytes of shared memory"
                                                                : " threads a block";
    out += "; " + std::to_string(step.to) + unit + " instead of " + std::to_string(step.from) +
           " would give " + percent(step.fraction);
  }
  if (limits.assumed) out += " (by the limits of gfx906: " + limits.arch + " has no public ones)";
  return out;
}

}  // namespace noctune
