// Codecs of requests and replies, for spool files, replay folders and the journal.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/chat.hpp"

namespace noctune {

Json to_json(const CallSlot& slot);
Json to_json(const ChatRequest& request);
Json to_json(const TokenUsage& usage);
Json to_json(const ChatReply& reply);
// Unknown keys are ignored, missing ones have their defaults; a value of a wrong type is an error.
Result<CallSlot> call_slot_from(const Json& json);
Result<ChatRequest> chat_request_from(const Json& json);
Result<ChatReply> chat_reply_from(const Json& json);

}  // namespace noctune
