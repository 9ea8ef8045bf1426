// A whole campaign: every hotspot tuned at once, then the verdicts over all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coordinator/inheritance.hpp"
#include "coordinator/recorder_memory.hpp"
#include "coordinator/tuning.hpp"
#include "llm/chat_service.hpp"

namespace noctune {

// `waiting`: stopped, and only answers of a model are missing.
enum class CampaignEnd { finished, stopped, waiting, no_baseline };

struct CampaignServices {
  asio::io_context& io;
  EvaluationService& evaluation;
  Recorder& recorder;
  Observer& observer;
  std::vector<long long> device_ids;                 // rows in /devices, in the service's order
  ChatService* chat = nullptr;                       // none: rules alone
  std::shared_ptr<const PromptTemplates> templates;  // where there is a model
  CampaignPatterns* patterns = nullptr;              // none: nothing is passed on
  std::function<bool()> stopping;
  std::function<void(const std::string&)> request_stop;  // with the reason
};

// Candidates of one hotspot where every arm goes through all its rounds, repairs apart.
long long most_versions(const Campaign& campaign);

Task<CampaignEnd> run_campaign(CampaignServices services, Campaign campaign,
                               std::vector<LoadedHotspot> hotspots);

}  // namespace noctune
