// Which processors of a node measure and which build: the pinning map, decided from plain facts.
#pragma once

#include <string>
#include <vector>

#include "base/topology.hpp"

namespace noctune {

struct Placement {
  std::vector<int> measured_cpus;  // quiet: one hardware thread per core, nothing else runs here
  std::vector<int> build_cpus;     // compilers, checks and the rank itself
  bool shares_token = false;       // the two overlap: who measures holds the node's token, builds pause
};

// Shares a node's allowed cores among its evaluators, in order of NUMA node. An evaluator that gets at least
// four cores keeps one in eight (at least one) for builds and measures on the rest; with fewer, all
// evaluators measure on all cores of the node and take turns through the node's timing token.
std::vector<Placement> place_evaluators(const std::vector<CpuCore>& cores, int evaluators);

// The same for evaluators that have a GPU each: `near` holds the processors near each one's device, empty
// where they are not known. Two cores near its device are kept quiet, for each process of a timed pair the
// one that starts kernels and waits, or one core where there are fewer than six; the rest of the near cores
// are for builds. Cores near several devices are shared evenly. An evaluator with fewer than two near ones
// takes from all of the node; where that does not give everybody two, all take turns as above.
std::vector<Placement> place_gpu_evaluators(const std::vector<CpuCore>& cores,
                                            const std::vector<std::vector<int>>& near);

}  // namespace noctune
