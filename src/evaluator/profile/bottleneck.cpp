// The rule, in order: a call shorter than three empty launches is bound by launching; less than one wave or
// multiprocessors idle for 30 % of the time, by parallelism; memory at 60 % of a ceiling and nothing busier,
// by memory; a pipe or the issue slots at 60 %, by computing; what is left waits: latency.
#include "evaluator/profile/bottleneck.hpp"

#include <algorithm>
#include <utility>

namespace noctune {
namespace {

constexpr double empty_launches = 3, busy = 0.6, active = 0.7, near = 0.1;

Fact share(const Fact& rate, const Fact& ceiling) {
  if (!rate || !ceiling || *ceiling <= 0) return {};
  return std::min(*rate / *ceiling, 1.0);
}

Fact larger(const Fact& a, const Fact& b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

void find_pipe(const ProfileFacts& facts, ResourceUse& use) {
  const std::pair<const char*, Fact> pipes[] = {
      {"FMA pipe", facts.pipe_fma},        {"fp64 pipe", facts.pipe_fp64},
      {"integer pipe", facts.pipe_alu},    {"special function pipe", facts.pipe_xu},
      {"load/store pipe", facts.pipe_lsu}, {"matrix unit", facts.pipe_tensor},
      {"vector pipe", facts.pipe_valu},    {"scalar pipe", facts.pipe_salu}};
  for (const auto& [name, value] : pipes) {
    if (!value || (use.pipe && *use.pipe >= *value)) continue;
    use.pipe = value;
    use.pipe_name = name;
  }
}

// How long one launch may take, in empty launches; nothing where either is unknown.
Fact in_launches(const ProfileFacts& facts, const ProfileCeilings& ceilings, const Fact& call_seconds) {
  const Fact seconds = call_seconds ? call_seconds : facts.seconds;
  if (!seconds || !ceilings.launch_seconds || *ceilings.launch_seconds <= 0) return {};
  return *seconds / (*ceilings.launch_seconds * std::max(facts.launches.value_or(1), 1.0));
}

bool is_idle(const ProfileFacts& facts, double limit) {
  return facts.sm_active && *facts.sm_active < limit;
}

// Without the first two rules.
BottleneckClass by_resources(const ResourceUse& use) {
  const Fact memory = use.memory(), compute = use.compute();
  if (memory && *memory >= busy && *memory >= compute.value_or(0)) return BottleneckClass::memory;
  if (compute && *compute >= busy) return BottleneckClass::compute;
  if (!memory || !compute) return BottleneckClass::unknown;
  return BottleneckClass::latency;
}

// What the resources alone would nearly have said as well.
std::optional<BottleneckClass> near_resource(BottleneckClass kind, const ResourceUse& use) {
  const double memory = use.memory().value_or(0), compute = use.compute().value_or(0);
  if (kind == BottleneckClass::memory && compute >= memory - near) return BottleneckClass::compute;
  if (kind == BottleneckClass::compute && memory >= compute - near) return BottleneckClass::memory;
  if (kind != BottleneckClass::latency || std::max(memory, compute) < busy - near) return {};
  return memory >= compute ? BottleneckClass::memory : BottleneckClass::compute;
}

void name_resource(Bottleneck& out) {
  if (out.kind == BottleneckClass::memory)
    out.resource = out.use.dram.value_or(0) >= out.use.l2.value_or(0) ? "DRAM" : "L2";
  if (out.kind != BottleneckClass::compute) return;
  const bool by_issue = out.use.issue.value_or(0) > out.use.pipe.value_or(0);
  out.resource = by_issue ? "issue slots" : out.use.pipe ? out.use.pipe_name : "arithmetic";
}

std::optional<BottleneckClass> known(BottleneckClass kind) {
  if (kind == BottleneckClass::unknown) return {};
  return kind;
}

}  // namespace

const char* to_text(BottleneckClass one) {
  switch (one) {
    case BottleneckClass::unknown:
      return "unknown";
    case BottleneckClass::memory:
      return "memory";
    case BottleneckClass::compute:
      return "compute";
    case BottleneckClass::latency:
      return "latency";
    case BottleneckClass::parallelism:
      return "parallelism";
    case BottleneckClass::launch:
      return "launch";
  }
  return "unknown";
}

Fact ResourceUse::memory() const {
  return larger(dram, l2);
}
Fact ResourceUse::compute() const {
  const Fact counted = larger(pipe, issue);
  return counted ? counted : flops;
}

ResourceUse resource_use(const ProfileFacts& facts, const ProfileCeilings& ceilings, const Fact& call_seconds,
                         bool single_precision) {
  ResourceUse use;
  use.dram = share(facts.dram_rate, ceilings.dram_rate);
  if (!use.dram) use.dram = facts.dram_peak_share;
  use.l2 = share(facts.l2_rate, ceilings.l2_rate);
  use.issue = facts.issue;
  find_pipe(facts, use);
  const Fact seconds = call_seconds ? call_seconds : facts.seconds;
  if (facts.flops && seconds && *seconds > 0)
    use.flops = share(*facts.flops / *seconds, single_precision ? ceilings.flops_fp32 : ceilings.flops_fp64);
  return use;
}

Bottleneck bottleneck_class(const ProfileFacts& facts, const ProfileCeilings& ceilings,
                            const Fact& call_seconds, bool single_precision) {
  Bottleneck out;
  out.use = resource_use(facts, ceilings, call_seconds, single_precision);
  const Fact launches = in_launches(facts, ceilings, call_seconds);
  const BottleneckClass resources = by_resources(out.use);
  const bool few_waves = facts.waves && *facts.waves < 1;
  if (launches && *launches < empty_launches) {
    out.kind = BottleneckClass::launch;
    if (*launches >= (1 - near) * empty_launches) out.second = known(resources);
  } else if (few_waves || is_idle(facts, active)) {
    out.kind = BottleneckClass::parallelism;
    if (!few_waves && !is_idle(facts, active - near)) out.second = known(resources);
  } else {
    out.kind = resources;
    out.second = near_resource(resources, out.use);
    if (!out.second && resources != BottleneckClass::unknown && is_idle(facts, active + near))
      out.second = BottleneckClass::parallelism;
  }
  name_resource(out);
  out.confidence = out.kind == BottleneckClass::unknown ? 0 : facts.confidence;
  return out;
}

}  // namespace noctune
