// Who does what on which node: gathered once at the start from all ranks.
#pragma once

#include <string>
#include <vector>

#include "base/mpi.hpp"
#include "base/topology.hpp"
#include "evaluator/gpu_discovery.hpp"
#include "evaluator/placement.hpp"
#include "model/task.hpp"

namespace noctune {

// One rank as it introduces itself.
struct RankIntroduction {
  int rank = 0;
  std::string host;
  std::vector<int> cpus;  // its affinity mask
  struct Gpu {
    std::string key, pci;
  };
  std::vector<Gpu> gpus = {};  // that it may use, in its order
};

struct RankLayout {
  int rank = 0;
  int evaluators = 0;      // over all nodes
  bool evaluates = false;  // this rank
  Placement placement;     // of this rank's evaluator
  HostFacts host;
  int cores_outside = 0;  // of this node, that no rank's mask reaches
  std::string run_token;  // the same on all ranks: names the node's timing token
  std::string backend = "openmp";
  FoundGpus gpus;          // of this rank, where the backend needs one
  int gpu = -1;            // the evaluator's place in them; -1 = it has none
  std::string gpu_shared;  // as in GpuFacts
};

// Ranks other than 0 evaluate; rank 0 does too where its node or one of its GPUs would otherwise stand idle,
// so also alone.
std::vector<int> evaluator_ranks(const std::vector<RankIntroduction>& ranks);

// Collective over all ranks.
RankLayout lay_out_ranks(const MpiSession& mpi, const std::string& backend);
// As if this process were the only one.
RankLayout lay_out_alone(const std::string& backend = "openmp", const GpuLibraryPaths& libraries = {});
// What both do with what the ranks said of themselves, in their order; `host` and `gpus` are this rank's own.
RankLayout lay_out(const std::vector<RankIntroduction>& ranks, int rank, HostFacts host,
                   const std::string& backend, FoundGpus gpus);

DeviceFacts device_facts(const RankLayout& layout);

}  // namespace noctune
