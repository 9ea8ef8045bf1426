#include "app/rank_layout.hpp"

#include <algorithm>
#include <set>

#include "base/digest.hpp"
#include "base/json.hpp"

namespace noctune {
namespace {

// The node's free cores: what hwloc shows, cut down to the union of its ranks' masks.
std::vector<CpuCore> free_cores(const HostFacts& host, const std::vector<RankIntroduction>& ranks) {
  std::set<int> allowed;
  for (const RankIntroduction& rank : ranks)
    if (rank.host == host.name) allowed.insert(rank.cpus.begin(), rank.cpus.end());
  std::vector<CpuCore> out;
  for (CpuCore core : host.cores) {
    core.cpus.erase(
        std::remove_if(core.cpus.begin(), core.cpus.end(), [&](int cpu) { return !allowed.count(cpu); }),
        core.cpus.end());
    if (!core.cpus.empty()) out.push_back(std::move(core));
  }
  return out;
}

}  // namespace

std::vector<int> evaluator_ranks(const std::vector<RankIntroduction>& ranks) {
  std::vector<int> out;
  const bool alone_on_its_node = std::none_of(ranks.begin(), ranks.end(), [&](const RankIntroduction& other) {
    return other.rank != 0 && other.host == ranks.front().host;
  });
  for (const RankIntroduction& rank : ranks)
    if (rank.rank != 0 || alone_on_its_node) out.push_back(rank.rank);
  return out;
}

namespace {

std::string introduction(const HostFacts& host) {
  return Json{{"host", host.name}, {"cpus", allowed_cpus()}, {"token", random_uuid()}}.dump();
}

RankLayout lay_out(const std::vector<std::string>& introductions, int rank, HostFacts host) {
  RankLayout layout;
  layout.rank = rank;
  layout.host = std::move(host);
  std::vector<RankIntroduction> ranks;
  for (const std::string& text : introductions) {
    const Json json = Json::parse(text);
    if (ranks.empty()) layout.run_token = json.at("token").get<std::string>();
    ranks.push_back({static_cast<int>(ranks.size()), json.at("host"), json.at("cpus")});
  }
  const std::vector<CpuCore> cores = free_cores(layout.host, ranks);
  layout.cores_outside = static_cast<int>(layout.host.cores.size()) - static_cast<int>(cores.size());
  const std::vector<int> evaluators = evaluator_ranks(ranks);
  layout.evaluators = static_cast<int>(evaluators.size());
  layout.evaluates = std::find(evaluators.begin(), evaluators.end(), rank) != evaluators.end();
  std::vector<int> here;
  for (const int one : evaluators)
    if (ranks[static_cast<std::size_t>(one)].host == layout.host.name) here.push_back(one);
  if (!layout.evaluates) return layout;
  const std::vector<Placement> places = place_evaluators(cores, static_cast<int>(here.size()));
  layout.placement =
      places[static_cast<std::size_t>(std::find(here.begin(), here.end(), rank) - here.begin())];
  return layout;
}

}  // namespace

RankLayout lay_out_ranks(const MpiSession& mpi) {
  HostFacts host = read_host();
  const std::vector<std::string> all = mpi.all_gather(introduction(host));
  return lay_out(all, mpi.rank(), std::move(host));
}

RankLayout lay_out_alone() {
  HostFacts host = read_host();
  const std::string mine = introduction(host);
  return lay_out({mine}, 0, std::move(host));
}

DeviceFacts device_facts(const RankLayout& layout) {
  DeviceFacts facts;
  facts.rank = layout.rank;
  facts.host = layout.host.name;
  facts.name = layout.host.cpu_model;
  facts.measured_cpus = layout.placement.measured_cpus;
  facts.build_cpus = layout.placement.build_cpus;
  facts.shares_token = layout.placement.shares_token;
  facts.l1_bytes = layout.host.l1_bytes;
  facts.l2_bytes = layout.host.l2_bytes;
  facts.last_level_cache_bytes = layout.host.last_level_cache_bytes;
  facts.vector_bytes = layout.host.vector_bytes;
  return facts;
}

}  // namespace noctune
