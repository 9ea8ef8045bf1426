// What a call's time is bound by, decided from its profile and the ceilings measured on the device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/profile/profile_facts.hpp"

namespace noctune {

// Measured on the device, not from data sheets; nothing = not measured.
struct ProfileCeilings {
  Fact dram_rate, l2_rate;         // B/s
  Fact flops_fp32, flops_fp64;     // flop/s
  Fact flops_matrix;               // flop/s of the matrix unit, in the type that the task may use
  Fact launch_seconds;             // one empty kernel
  Fact multiprocessors, l2_bytes;  // compute units on AMD and Hygon
  Fact registers, shared_bytes, warps, warp_size;  // of a multiprocessor
};

enum class BottleneckClass { unknown, memory, compute, latency, parallelism, launch };
const char* to_text(BottleneckClass one);

// How near to its ceiling each resource is, 0 to 1.
struct ResourceUse {
  Fact dram, l2, issue, pipe, flops;
  std::string pipe_name;  // the busiest
  Fact memory() const;    // the larger of dram and l2
  Fact compute() const;   // the larger of pipe and issue; of flops where no pipe is known
};
ResourceUse resource_use(const ProfileFacts& facts, const ProfileCeilings& ceilings, const Fact& call_seconds,
                         bool single_precision);

struct Bottleneck {
  BottleneckClass kind = BottleneckClass::unknown;
  std::string resource;                   // "DRAM", "L2", a pipe's name
  std::optional<BottleneckClass> second;  // within ten points of being the one
  ResourceUse use;
  double confidence = 0;
};

// `call_seconds` is of one call outside of the profiler; else the profiler's own.
Bottleneck bottleneck_class(const ProfileFacts& facts, const ProfileCeilings& ceilings,
                            const Fact& call_seconds, bool single_precision);

}  // namespace noctune
