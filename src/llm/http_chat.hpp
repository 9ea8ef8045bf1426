// A model behind an HTTP endpoint.
#pragma once

#include <cstdint>
#include <memory>

#include "llm/api_key.hpp"
#include "llm/backoff.hpp"
#include "llm/chat_service.hpp"

namespace asio {
class io_context;
}

namespace noctune {

struct HttpChatOptions {
  RetryPolicy retry;       // its total is settings.retry_s
  std::uint64_t seed = 1;  // of the waits' randomness
};

// For the providers openai, openai-responses and anthropic. The models of the settings are asked in order
// until one answers; a request's own model goes first. Let it go before `io`, when its calls have ended.
std::unique_ptr<ChatService> make_http_chat(asio::io_context& io, const ModelSettings& settings, ApiKey key,
                                            HttpChatOptions options = {});

}  // namespace noctune
