// How a hotspot gets its MEP: the user's spec, else the rules' draft, else a model's, each as the baseline
// accepts it. What a gate refuses of a model's goes back to it, a few times. Whatever fails is a value: the
// hotspot is refused with the reason and what its owner can add.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "coordinator/load_hotspots.hpp"
#include "coordinator/prompts/completion_prompts.hpp"
#include "coordinator/slot_chat.hpp"

namespace noctune {

struct CompletionServices {
  // Builds, sizes and checks; `attempt` counts the MEPs of this hotspot from 0.
  std::function<Task<Baselined>(PrepareTask, int attempt)> baseline;
  std::function<void(bool warning, const std::string&)> told;
  SlotChat* chat = nullptr;  // none: no model
  std::shared_ptr<const PromptTemplates> templates;
  DeviceFacts device;
};

struct CompletedMep {
  PrepareTask task;  // with the MEP that was tried last
  Baselined baselined;
  std::string by;  // who made that MEP: "user", "rules", "model"; empty: nobody
  std::vector<std::string> understood, assumed;
  std::string reason;  // why it cannot be used; what sizing decided where it can
  int answers = 0;     // of the model
  bool usable() const { return baselined.report.usable; }
};

// Throws StopRequested and WaitingForModel, as what it awaits does.
Task<CompletedMep> complete_hotspot(CompletionServices services, LoadedHotspot hotspot);

// What the first request is made from, but for what the baseline says of the rules' draft. The hotspot must
// be open.
CompletionPrompt completion_prompt(const LoadedHotspot& hotspot, const DeviceFacts& device);

// The place of the model calls in the campaign. It depends on what is handed in, so that a call site added
// later is a new question.
CallSlot completion_slot(const CompletionInput& input, int answer);

}  // namespace noctune
