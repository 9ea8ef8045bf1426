// Whoever answers prompts: an endpoint over HTTP, a spool directory, a record of earlier answers.
#pragma once

#include <string>

#include "base/async.hpp"
#include "model/chat.hpp"

namespace noctune {

// Every outcome is a value; nothing is thrown for what the world did. Any number of calls may be open at
// once; everything is used from the thread of the io_context.
class ChatService {
 public:
  virtual ~ChatService() = default;
  virtual Task<ChatReply> ask(CallSlot slot, ChatRequest request) = 0;
  // The caller has written the slot's answer to disk and will not ask for it again.
  virtual void recorded(const CallSlot& /*slot*/) {}
  // For people: "openai, model gpt-x at https://..."; never holds a secret.
  virtual std::string describe() const = 0;
  // Open and later calls end at once as `stopped`; what is paid but not received is lost.
  virtual void stop() = 0;
};

}  // namespace noctune
