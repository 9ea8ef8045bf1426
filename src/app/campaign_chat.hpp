// The model of a campaign behind its budget: an endpoint, a spool, or a record of earlier answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "llm/api_key.hpp"
#include "llm/chat_service.hpp"
#include "model/campaign.hpp"
#include "store/rows.hpp"

namespace noctune {

struct CampaignChatNeeds {
  std::string campaign;  // its name, which tells its requests in a shared spool
  ModelSettings settings;
  std::vector<SpentCall> spent;  // by earlier runs
  std::function<void(const std::string&)> warn;
};

// Null where the settings name no model. Throws UserError where they name nothing of use.
std::unique_ptr<ChatService> make_campaign_chat(asio::io_context& io, CampaignChatNeeds needs, ApiKey key);

}  // namespace noctune
