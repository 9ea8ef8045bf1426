// Makes the service that a `model` section names.
#pragma once

#include <functional>
#include <memory>

#include "llm/api_key.hpp"
#include "llm/chat_service.hpp"
#include "model/campaign.hpp"

namespace noctune {

using ChatFactory =
    std::function<std::unique_ptr<ChatService>(asio::io_context&, const ModelSettings&, ApiKey)>;

// The key for these settings, none where the provider needs none; the environment is scrubbed of this and all
// other secrets. Call it before threads and children. Throws UserError where a key is needed and not found.
ApiKey take_key(const ModelSettings& settings);

// What answers by itself: not a spool. Throws UserError where the settings name nothing of use.
std::unique_ptr<ChatService> make_endpoint(asio::io_context& io, const ModelSettings& settings, ApiKey key);

}  // namespace noctune
