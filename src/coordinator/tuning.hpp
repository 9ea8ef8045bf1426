// The tuning of one hotspot, from its spec to confirmed winners, written as it reads in the design.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coordinator/arm_run.hpp"
#include "coordinator/completion.hpp"
#include "model/campaign.hpp"

namespace noctune {

struct TuningServices {
  asio::io_context& io;
  EvaluationService& evaluation;
  Memory& memory;
  // The arms in their order. Each is planned when those before it have ended.
  std::vector<Arm> arms;
  std::function<ArmPlan(const Arm&, const ArmGround&, const std::vector<ArmResult>& earlier)> plan;
  std::function<bool()> stopping;
  // For hotspots without a spec; none: rules alone.
  SlotChat* chat = nullptr;
  std::shared_ptr<const PromptTemplates> templates = nullptr;
};

struct TuningResult {
  bool stopped = false;  // no verdict yet: by a stop request,
  bool waiting = false;  // or because only answers of a model are missing
  MepReport mep;
  std::string entry;
  std::string completed_by;  // "user", "rules", "model"; empty: it has no MEP
  Candidate original;
  std::vector<ArmResult> arms;  // that were finished, in order
  std::string reason;           // why it stopped or failed

  // The arm whose winner is the hotspot's; none before it was finished.
  const ArmResult* main() const { return arms.empty() ? nullptr : &arms.front(); }
};

// `hotspot` is its id in the memory.
Task<TuningResult> tune_hotspot(TuningServices services, long long hotspot, LoadedHotspot loaded);

}  // namespace noctune
