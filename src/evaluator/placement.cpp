#include "evaluator/placement.hpp"

#include <algorithm>
#include <stdexcept>

namespace noctune {
namespace {

constexpr std::size_t fewest_cores_to_split = 4;

Placement shared_by_all(const std::vector<CpuCore>& cores) {
  Placement out;
  out.shares_token = true;
  for (const CpuCore& core : cores) {
    out.measured_cpus.push_back(core.cpus.front());
    out.build_cpus.insert(out.build_cpus.end(), core.cpus.begin(), core.cpus.end());
  }
  return out;
}

Placement split(std::vector<CpuCore>::const_iterator first, std::size_t count) {
  Placement out;
  const std::size_t for_builds = std::max<std::size_t>(1, count / 8);
  for (std::size_t i = 0; i < count; ++i) {
    const CpuCore& core = *(first + static_cast<std::ptrdiff_t>(i));
    if (i < for_builds) {
      out.build_cpus.insert(out.build_cpus.end(), core.cpus.begin(), core.cpus.end());
    } else {
      out.measured_cpus.push_back(core.cpus.front());
    }
  }
  return out;
}

}  // namespace

std::vector<Placement> place_evaluators(const std::vector<CpuCore>& cores, int evaluators) {
  if (cores.empty()) throw std::invalid_argument("a node without any allowed processor");
  const auto wanted = static_cast<std::size_t>(std::max(evaluators, 0));
  std::vector<Placement> out;
  if (wanted == 0) return out;
  if (cores.size() / wanted < fewest_cores_to_split) {
    Placement all = shared_by_all(cores);
    std::sort(all.measured_cpus.begin(), all.measured_cpus.end());
    std::sort(all.build_cpus.begin(), all.build_cpus.end());
    return std::vector<Placement>(wanted, all);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t begin = cores.size() * i / wanted, end = cores.size() * (i + 1) / wanted;
    out.push_back(split(cores.begin() + static_cast<std::ptrdiff_t>(begin), end - begin));
  }
  return out;
}

}  // namespace noctune
