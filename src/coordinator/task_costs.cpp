#include "coordinator/task_costs.hpp"

namespace noctune {
namespace {

constexpr double weight_of_latest = 0.3;
// Names no hotspot: the kind's mean over all of them.
const std::string any_hotspot;

}  // namespace

void TaskCosts::took(const std::string& hotspot, const std::string& kind, double seconds) {
  for (const std::string& whose : {hotspot, any_hotspot}) {
    const auto [mean, first] = means_.try_emplace({whose, kind}, seconds);
    if (!first) mean->second += weight_of_latest * (seconds - mean->second);
  }
}

double TaskCosts::expected(const std::string& hotspot, const std::string& kind) const {
  for (const std::string& whose : {hotspot, any_hotspot})
    if (const auto known = means_.find({whose, kind}); known != means_.end()) return known->second;
  return 0;
}

}  // namespace noctune
