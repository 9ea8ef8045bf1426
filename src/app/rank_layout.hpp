// Who does what on which node: gathered once at the start from all ranks.
#pragma once

#include <string>
#include <vector>

#include "base/mpi.hpp"
#include "base/topology.hpp"
#include "evaluator/placement.hpp"
#include "model/task.hpp"

namespace noctune {

// One rank as it introduces itself.
struct RankIntroduction {
  int rank = 0;
  std::string host;
  std::vector<int> cpus;  // its affinity mask
};

struct RankLayout {
  int rank = 0;
  int evaluators = 0;      // over all nodes
  bool evaluates = false;  // this rank
  Placement placement;     // of this rank's evaluator
  HostFacts host;
  int cores_outside = 0;  // of this node, that no rank's mask reaches
  std::string run_token;  // the same on all ranks: names the node's timing token
};

// Ranks other than 0 evaluate; rank 0 does too where its node would otherwise stand idle, so also alone.
std::vector<int> evaluator_ranks(const std::vector<RankIntroduction>& ranks);

// Collective over all ranks.
RankLayout lay_out_ranks(const MpiSession& mpi);
// As if this process were the only one.
RankLayout lay_out_alone();

DeviceFacts device_facts(const RankLayout& layout);

}  // namespace noctune
