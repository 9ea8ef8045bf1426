// One request and its answer, without retries.
#pragma once

#include <memory>
#include <string>

#include "base/async.hpp"
#include "base/http.hpp"
#include "llm/api_key.hpp"
#include "llm/parameter_fixes.hpp"
#include "llm/reply_reader.hpp"

namespace noctune {

struct ExchangeRequest {
  const ChatRequest& request;  // outlives the exchange
  std::string model;
  int output_cap = 0;
};

struct ChatAttempt {
  Finding finding;
  int status = 0;
  int key_generation = 0;  // of the key that was sent
  std::string request_id;
  OrderedJson body;  // as sent
  std::shared_ptr<ReplyReader> reader;
};

// The references must stay until it ends.
Task<ChatAttempt> exchange(HttpClient& http, const ModelSettings& settings, const ApiKey& key,
                           const ExchangeRequest& wanted, const ParameterFixes& fixes);

}  // namespace noctune
