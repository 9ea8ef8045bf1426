#include "evaluator/profile/profile_metrics.hpp"

namespace noctune {

std::vector<ProfileMetric> profile_metrics(const ProfileFacts& facts, const Bottleneck& bottleneck,
                                           const std::vector<Hint>& hints) {
  std::vector<ProfileMetric> out;
  const auto add = [&out](const std::string& name, const Fact& value, const char* unit) {
    if (value) out.push_back({name, *value, unit});
  };
  if (facts.source == ProfileSource::none) return out;
  add("source:" + std::string(to_text(facts.source)), facts.confidence, "1");
  add("class:" + std::string(to_text(bottleneck.kind)), bottleneck.confidence, "1");
  if (bottleneck.second)
    add("class2:" + std::string(to_text(*bottleneck.second)), bottleneck.confidence, "1");
  add("use_dram", bottleneck.use.dram, "1");
  add("use_l2", bottleneck.use.l2, "1");
  add("use_pipe", bottleneck.use.pipe, "1");
  add("use_flops", bottleneck.use.flops, "1");
  for (const FactField& field : fact_fields()) add(field.name, facts.*field.value, field.unit);
  for (const Hint& hint : hints) add("hint:" + hint.tool, hint.gain_bound, "1");
  return out;
}

}  // namespace noctune
