#include "evaluator/profile/profile_facts.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace noctune {
namespace {

constexpr double sector_bytes = 32;
constexpr double known_time = 0.5;  // of the call, for a mean over kernels

Fact ratio(const Fact& part, const Fact& whole) {
  if (!part || !whole || *whole <= 0) return {};
  return *part / *whole;
}

void derive(Fact& fact, const Fact& value) {
  if (value) fact = value;
}

// Weights of the kernels: their times, or all alike where one of these is unknown.
std::vector<double> weights_of(const std::vector<ProfileFacts>& kernels) {
  std::vector<double> out;
  for (const ProfileFacts& kernel : kernels) out.push_back(kernel.seconds.value_or(0));
  if (std::any_of(out.begin(), out.end(), [](double weight) { return weight <= 0; }))
    std::fill(out.begin(), out.end(), 1.0);
  return out;
}

Fact sum_of(const std::vector<ProfileFacts>& kernels, const FactField& field) {
  double total = 0;
  for (const ProfileFacts& kernel : kernels) {
    if (!(kernel.*field.value)) return {};
    total += *(kernel.*field.value);
  }
  return total;
}

Fact mean_of(const std::vector<ProfileFacts>& kernels, const FactField& field,
             const std::vector<double>& weights) {
  double total = 0, known = 0, all = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    all += weights[i];
    if (!(kernels[i].*field.value)) continue;
    known += weights[i];
    total += weights[i] * *(kernels[i].*field.value);
  }
  if (known <= 0 || known < known_time * all) return {};
  return total / known;
}

// A share that replay passes or clocks pushed out of its range.
void cut_share(ProfileFacts& facts, const FactField& field, double most) {
  Fact& fact = facts.*field.value;
  if (!fact || (*fact >= 0 && *fact <= most)) return;
  const double cut = std::clamp(*fact, 0.0, most);
  facts.doubts.push_back(std::string(field.name) + " was " + fixed(*fact, 2) + " and is cut to " +
                         fixed(cut, 0));
  fact = cut;
}

bool is_share(const std::string& name) {
  for (const char* start : {"pipe_", "stall_"})
    if (name.starts_with(start)) return true;
  for (const char* one : {"dram_peak_share", "l2_hit", "l1_hit", "issue", "warps_active", "sm_active",
                          "memory_stalled", "write_stalled", "occupancy_limit", "local_share",
                          "bank_conflict_share", "lanes_active", "atomic_share"})
    if (name == one) return true;
  return false;
}

void derive_flops(ProfileFacts& facts) {
  if (!facts.flops_fp16 || !facts.flops_fp32 || !facts.flops_fp64) return;
  facts.flops = *facts.flops_fp16 + *facts.flops_fp32 + *facts.flops_fp64;
}

void derive_occupancy(ProfileFacts& facts) {
  if (!facts.limit_registers || !facts.limit_shared || !facts.limit_warps || !facts.limit_blocks) return;
  const double allowed = std::min({*facts.limit_registers, *facts.limit_shared, *facts.limit_blocks});
  derive(facts.occupancy_limit, ratio(std::min(allowed, *facts.limit_warps), facts.limit_warps));
}

void derive_local_share(ProfileFacts& facts) {
  if (!facts.local_sectors || !facts.load_sectors || !facts.store_sectors) return;
  derive(facts.local_share,
         ratio(facts.local_sectors, *facts.local_sectors + *facts.load_sectors + *facts.store_sectors));
}

}  // namespace

void derive_facts(ProfileFacts& facts) {
  derive(facts.dram_rate, ratio(facts.dram_bytes, facts.seconds));
  derive(facts.l2_rate, ratio(facts.l2_bytes, facts.seconds));
  derive(facts.sectors_per_load, ratio(facts.load_sectors, facts.load_requests));
  derive(facts.sectors_per_store, ratio(facts.store_sectors, facts.store_requests));
  derive(facts.conflicts_per_access, ratio(facts.bank_conflicts, facts.shared_instructions));
  if (facts.l2_bytes) derive(facts.atomic_share, ratio(facts.atomic_sectors, *facts.l2_bytes / sector_bytes));
  derive_flops(facts);
  derive_occupancy(facts);
  derive_local_share(facts);
  for (const FactField& field : fact_fields())
    if (is_share(field.name)) cut_share(facts, field, 1);
}

ProfileFacts merge_kernels(const std::vector<ProfileFacts>& kernels) {
  if (kernels.empty()) return {};
  const std::vector<double> weights = weights_of(kernels);
  const auto longest = std::max_element(weights.begin(), weights.end()) - weights.begin();
  const ProfileFacts& main = kernels[static_cast<std::size_t>(longest)];
  ProfileFacts out;
  out.source = main.source;
  out.confidence = main.confidence;
  out.tool = main.tool;
  out.kernel = main.kernel;
  for (const FactField& field : fact_fields()) {
    switch (field.merge) {
      case FactMerge::sum:
        out.*field.value = sum_of(kernels, field);
        break;
      case FactMerge::mean:
        out.*field.value = mean_of(kernels, field, weights);
        break;
      case FactMerge::longest:
        out.*field.value = main.*field.value;
        break;
    }
  }
  for (const ProfileFacts& kernel : kernels)
    for (const std::string& doubt : kernel.doubts)
      if (std::find(out.doubts.begin(), out.doubts.end(), doubt) == out.doubts.end())
        out.doubts.push_back(doubt);
  derive_facts(out);
  return out;
}

void fill_gaps(ProfileFacts& facts, const ProfileFacts& lesser) {
  for (const FactField& field : fact_fields())
    if (!(facts.*field.value)) facts.*field.value = lesser.*field.value;
  if (facts.source == ProfileSource::none) {
    facts.source = lesser.source;
    facts.confidence = lesser.confidence;
    facts.tool = lesser.tool;
  }
  if (facts.kernel.empty()) facts.kernel = lesser.kernel;
}

}  // namespace noctune
