// Makes the service that a `model` section names.
#pragma once

#include <functional>
#include <memory>

#include "llm/chat_service.hpp"
#include "model/campaign.hpp"

namespace noctune {

using ChatFactory = std::function<std::unique_ptr<ChatService>(asio::io_context&, const ModelSettings&)>;

// What answers by itself: not a spool. Throws UserError where the settings name nothing of use.
std::unique_ptr<ChatService> make_endpoint(asio::io_context& io, const ModelSettings& settings);

}  // namespace noctune
