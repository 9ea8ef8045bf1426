// A whole campaign: every hotspot tuned at once, then the verdicts over all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coordinator/recorder_memory.hpp"
#include "coordinator/tuning.hpp"

namespace noctune {

enum class CampaignEnd { finished, stopped, no_baseline };

struct CampaignServices {
  asio::io_context& io;
  EvaluationService& evaluation;
  Recorder& recorder;
  Observer& observer;
  std::vector<long long> device_ids;  // rows in /devices, in the service's order
  std::function<bool()> stopping;
  std::function<void(const std::string&)> request_stop;  // with the reason
};

Task<CampaignEnd> run_campaign(CampaignServices services, Campaign campaign, std::vector<PrepareTask> tasks);

// The verdict on one hotspot once the p-values of all of them are adjusted (Holm): `faster` needs a
// significant gain, `slower` cannot win since the original stays in the race.
HotspotVerdict verdict_for(const TuningResult& result, double adjusted_p, double min_gain);

}  // namespace noctune
