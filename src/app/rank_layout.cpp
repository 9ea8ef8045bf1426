#include "app/rank_layout.hpp"

#include <unistd.h>

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

// More GPUs on rank 0's node than other ranks to use them.
bool leaves_gpu_idle(const std::vector<RankIntroduction>& ranks) {
  std::set<std::string> gpus;
  std::size_t others = 0;
  for (const RankIntroduction& rank : ranks) {
    if (rank.host != ranks.front().host) continue;
    for (const RankIntroduction::Gpu& gpu : rank.gpus) gpus.insert(gpu.key);
    others += rank.rank != 0;
  }
  return !ranks.front().gpus.empty() && gpus.size() > others;
}

std::vector<GpuShare> gpu_shares(const std::vector<RankIntroduction>& ranks, const std::vector<int>& here) {
  std::vector<GpuSeeker> seekers;
  for (const int one : here) {
    const RankIntroduction& rank = ranks[static_cast<std::size_t>(one)];
    GpuSeeker seeker{rank.rank, rank.host, {}};
    for (const RankIntroduction::Gpu& gpu : rank.gpus) seeker.visible.push_back(gpu.key);
    seekers.push_back(std::move(seeker));
  }
  return share_gpus(seekers);
}

// Near each evaluator's GPU; all where that is not known.
std::vector<Placement> places_beside_gpus(const std::vector<CpuCore>& cores,
                                          const std::vector<RankIntroduction>& ranks,
                                          const std::vector<int>& here, const std::vector<GpuShare>& shares) {
  std::vector<int> allowed;
  for (const CpuCore& core : cores) allowed.insert(allowed.end(), core.cpus.begin(), core.cpus.end());
  std::vector<std::vector<int>> near(here.size());
  for (std::size_t i = 0; i < here.size(); ++i)
    if (shares[i].chosen >= 0)
      near[i] = cpus_near(
          ranks[static_cast<std::size_t>(here[i])].gpus[static_cast<std::size_t>(shares[i].chosen)].pci,
          allowed);
  return place_gpu_evaluators(cores, near);
}

std::string numbers(const std::vector<int>& all) {
  constexpr std::size_t most = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
    out += (i ? ", " : "") + std::to_string(all[i]);
  return all.size() > most ? out + " and " + std::to_string(all.size() - most) + " more" : out;
}

std::string shared_text(const GpuShare& share, const std::vector<int>& processes) {
  std::string out;
  if (!share.partners.empty())
    out = "in turns with rank " + numbers(share.partners) +
          "; under Slurm --gpus-per-task=1 --gpu-bind=per_task:1 gives each rank its own";
  if (!processes.empty())
    out += (out.empty() ? "" : "; ") + ("also by process " + numbers(processes)) +
           ", so its times cannot be trusted";
  return out;
}

void choose_gpu(RankLayout& layout, const GpuShare& share) {
  layout.gpu = share.chosen;
  if (share.chosen < 0) return;
  const std::string key = gpu_key(layout.gpus.visible[static_cast<std::size_t>(share.chosen)]);
  const auto used = layout.gpus.used_by.find(key);
  layout.gpu_shared =
      shared_text(share, used == layout.gpus.used_by.end() ? std::vector<int>() : used->second);
}

Json introduction(const HostFacts& host, const FoundGpus& gpus, const std::string& token) {
  Json visible = Json::array();
  for (const GpuInfo& gpu : gpus.visible) visible.push_back({{"key", gpu_key(gpu)}, {"pci", gpu.pci}});
  return {{"host", host.name}, {"cpus", allowed_cpus()}, {"token", token}, {"gpus", std::move(visible)}};
}

RankLayout lay_out_texts(const std::vector<std::string>& introductions, int rank, HostFacts host,
                         const std::string& backend, FoundGpus gpus) {
  std::vector<RankIntroduction> ranks;
  std::string token;
  for (const std::string& text : introductions) {
    const Json json = Json::parse(text);
    if (ranks.empty()) token = json.at("token").get<std::string>();
    ranks.push_back({static_cast<int>(ranks.size()), json.at("host"), json.at("cpus")});
    for (const Json& gpu : json.at("gpus")) ranks.back().gpus.push_back({gpu.at("key"), gpu.at("pci")});
  }
  RankLayout layout = lay_out(ranks, rank, std::move(host), backend, std::move(gpus));
  layout.run_token = token;
  return layout;
}

std::string no_gpu_text(const RankLayout& layout) {
  std::string out = "no GPU for the backend " + layout.backend + " can be used here";
  for (const std::string& note : layout.gpus.notes) out += "; " + note;
  return out;
}

}  // namespace

std::vector<int> evaluator_ranks(const std::vector<RankIntroduction>& ranks) {
  std::vector<int> out;
  const bool alone_on_its_node = std::none_of(ranks.begin(), ranks.end(), [&](const RankIntroduction& other) {
    return other.rank != 0 && other.host == ranks.front().host;
  });
  const bool first_evaluates = alone_on_its_node || leaves_gpu_idle(ranks);
  for (const RankIntroduction& rank : ranks)
    if (rank.rank != 0 || first_evaluates) out.push_back(rank.rank);
  return out;
}

RankLayout lay_out(const std::vector<RankIntroduction>& ranks, int rank, HostFacts host,
                   const std::string& backend, FoundGpus gpus) {
  RankLayout layout;
  layout.rank = rank;
  layout.host = std::move(host);
  layout.backend = backend;
  layout.gpus = std::move(gpus);
  const std::vector<CpuCore> cores = free_cores(layout.host, ranks);
  layout.cores_outside = static_cast<int>(layout.host.cores.size()) - static_cast<int>(cores.size());
  const std::vector<int> evaluators = evaluator_ranks(ranks);
  layout.evaluators = static_cast<int>(evaluators.size());
  layout.evaluates = std::find(evaluators.begin(), evaluators.end(), rank) != evaluators.end();
  std::vector<int> here;
  for (const int one : evaluators)
    if (ranks[static_cast<std::size_t>(one)].host == layout.host.name) here.push_back(one);
  if (!layout.evaluates) return layout;
  const auto mine = static_cast<std::size_t>(std::find(here.begin(), here.end(), rank) - here.begin());
  if (!gpu_vendor(backend)) {
    layout.placement = place_evaluators(cores, static_cast<int>(here.size()))[mine];
    return layout;
  }
  const std::vector<GpuShare> shares = gpu_shares(ranks, here);
  layout.placement = places_beside_gpus(cores, ranks, here, shares)[mine];
  choose_gpu(layout, shares[mine]);
  return layout;
}

RankLayout lay_out_ranks(const MpiSession& mpi, const std::string& backend) {
  HostFacts host = read_host();
  FoundGpus gpus = find_gpus(backend);
  const std::vector<std::string> all = mpi.all_gather(introduction(host, gpus, random_uuid()).dump());
  return lay_out_texts(all, mpi.rank(), std::move(host), backend, std::move(gpus));
}

RankLayout lay_out_alone(const std::string& backend, const GpuLibraryPaths& libraries) {
  HostFacts host = read_host();
  FoundGpus gpus = find_gpus(backend, libraries);
  const std::string mine = introduction(host, gpus, random_uuid()).dump();
  return lay_out_texts({mine}, 0, std::move(host), backend, std::move(gpus));
}

DeviceFacts device_facts(const RankLayout& layout) {
  DeviceFacts facts;
  facts.rank = layout.rank;
  facts.pid = ::getpid();
  facts.host = layout.host.name;
  facts.name = layout.host.cpu_model;
  facts.measured_cpus = layout.placement.measured_cpus;
  facts.build_cpus = layout.placement.build_cpus;
  facts.shares_token = layout.placement.shares_token;
  facts.l1_bytes = layout.host.l1_bytes;
  facts.l2_bytes = layout.host.l2_bytes;
  facts.last_level_cache_bytes = layout.host.last_level_cache_bytes;
  facts.vector_bytes = layout.host.vector_bytes;
  facts.backend = layout.backend;
  if (layout.gpu >= 0) {
    const GpuInfo& gpu = layout.gpus.visible[static_cast<std::size_t>(layout.gpu)];
    facts.name = gpu.name;
    facts.gpu = gpu_facts(gpu);
    facts.gpu.shared = layout.gpu_shared;
  } else if (gpu_vendor(layout.backend)) {
    facts.problem = no_gpu_text(layout);
  }
  return facts;
}

}  // namespace noctune
