// Asks the campaign's model how a winner is placed that no rule can place. Calls are recorded and paid as
// those of the tuning; an answered one is found again by a later run, as long as file, version and place are
// the same.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "coordinator/observer.hpp"
#include "coordinator/prompts/template_set.hpp"
#include "coordinator/recorder_memory.hpp"
#include "coordinator/slot_chat.hpp"
#include "integration/placer.hpp"

namespace noctune {

class ModelPlacer final : public PlaceAdviser {
 public:
  using Told = std::function<void(const std::string&)>;

  // All must outlive it.
  ModelPlacer(ChatService& chat, Recorder& recorder, const PromptTemplates& templates, Told told);

  // Throws StopRequested and WaitingForModel.
  Task<Result<std::string>> advise(PlaceQuestion question) override;
  void heard(const PlaceQuestion& question, const std::string& reading) override;

 private:
  // Steps are told by the integration itself.
  class Silent final : public Observer {
    void event(const std::string&, bool, const std::string&) override {}
    void progress(const RunProgress&) override {}
  };

  ChatService& chat_;
  const PromptTemplates& templates_;
  Told told_;
  Silent silent_;
  RecorderMemory memory_;
  std::map<long long, SlotChat> chats_;  // by hotspot
};

// The place of a question among the campaign's model calls.
CallSlot placement_slot(const PlaceQuestion& question);
ChatRequest placement_prompt(const PromptTemplates& templates, const PlaceQuestion& question);

}  // namespace noctune
