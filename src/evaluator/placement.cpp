#include "evaluator/placement.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace noctune {
namespace {

constexpr std::size_t fewest_cores_to_split = 4;
constexpr std::size_t fewest_cores_beside_gpu = 2;  // one quiet, one for builds
// From here on two are quiet: making a device's context keeps a processor busy for longer than most timings
// take, so both processes of a pair shall do it at once.
constexpr std::size_t cores_for_two_quiet = 6;

Placement shared_by_all(const std::vector<CpuCore>& cores) {
  Placement out;
  out.shares_token = true;
  for (const CpuCore& core : cores) {
    out.measured_cpus.push_back(core.cpus.front());
    out.build_cpus.insert(out.build_cpus.end(), core.cpus.begin(), core.cpus.end());
  }
  return out;
}

std::vector<Placement> shared_by(const std::vector<CpuCore>& cores, std::size_t evaluators) {
  Placement all = shared_by_all(cores);
  std::sort(all.measured_cpus.begin(), all.measured_cpus.end());
  std::sort(all.build_cpus.begin(), all.build_cpus.end());
  return std::vector<Placement>(evaluators, all);
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

using Cores = std::vector<const CpuCore*>;

bool is_near(const CpuCore& core, const std::vector<int>& near) {
  return near.empty() || std::any_of(core.cpus.begin(), core.cpus.end(), [&](int cpu) {
           return std::find(near.begin(), near.end(), cpu) != near.end();
         });
}

// Each core goes to one of those that it is near to: cores near to the same ones are cut into even pieces.
std::vector<Cores> even_pieces(const std::vector<CpuCore>& cores, const std::vector<std::vector<int>>& near) {
  std::map<std::vector<std::size_t>, Cores> by_neighbours;
  for (const CpuCore& core : cores) {
    std::vector<std::size_t> neighbours;
    for (std::size_t i = 0; i < near.size(); ++i)
      if (is_near(core, near[i])) neighbours.push_back(i);
    by_neighbours[neighbours].push_back(&core);
  }
  std::vector<Cores> out(near.size());
  for (const auto& [neighbours, shared] : by_neighbours)
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      out[neighbours[i]].insert(
          out[neighbours[i]].end(),
          shared.begin() + static_cast<std::ptrdiff_t>(shared.size() * i / neighbours.size()),
          shared.begin() + static_cast<std::ptrdiff_t>(shared.size() * (i + 1) / neighbours.size()));
  return out;
}

// Who gets too few takes from the whole node; where that does not help beside those who do not, all do.
std::vector<Cores> enough_for_all(const std::vector<CpuCore>& cores, std::vector<std::vector<int>> near) {
  for (;;) {
    std::vector<Cores> pieces = even_pieces(cores, near);
    bool too_few = false, widened = false;
    for (std::size_t i = 0; i < near.size(); ++i) {
      if (pieces[i].size() >= fewest_cores_beside_gpu) continue;
      too_few = true;
      widened = widened || !near[i].empty();
      near[i].clear();
    }
    if (!too_few) return pieces;
    if (!widened) std::fill(near.begin(), near.end(), std::vector<int>());
  }
}

// The last ones are quiet: systems like to serve interrupts on the first.
Placement beside_gpu(const Cores& cores) {
  Placement out;
  const std::size_t quiet = cores.size() < cores_for_two_quiet ? 1 : 2;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::vector<int>& cpus = cores[i]->cpus;
    if (i + quiet < cores.size())
      out.build_cpus.insert(out.build_cpus.end(), cpus.begin(), cpus.end());
    else
      out.measured_cpus.push_back(cpus.front());
  }
  return out;
}

}  // namespace

std::vector<Placement> place_gpu_evaluators(const std::vector<CpuCore>& cores,
                                            const std::vector<std::vector<int>>& near) {
  if (cores.empty()) throw std::invalid_argument("a node without any allowed processor");
  if (cores.size() < fewest_cores_beside_gpu * near.size()) return shared_by(cores, near.size());
  std::vector<Placement> out;
  for (const Cores& piece : enough_for_all(cores, near)) out.push_back(beside_gpu(piece));
  return out;
}

std::vector<Placement> place_evaluators(const std::vector<CpuCore>& cores, int evaluators) {
  if (cores.empty()) throw std::invalid_argument("a node without any allowed processor");
  const auto wanted = static_cast<std::size_t>(std::max(evaluators, 0));
  std::vector<Placement> out;
  if (wanted == 0) return out;
  if (cores.size() / wanted < fewest_cores_to_split) {
    return shared_by(cores, wanted);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t begin = cores.size() * i / wanted, end = cores.size() * (i + 1) / wanted;
    out.push_back(split(cores.begin() + static_cast<std::ptrdiff_t>(begin), end - begin));
  }
  return out;
}

}  // namespace noctune
