// What the adapters to the providers' wire formats have in common. An adapter is a function that makes a call
// and a reader that understands the answer; everything else is shared.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "model/campaign.hpp"
#include "model/chat.hpp"

namespace noctune {

// A request as it will be sent, without the key.
struct WireCall {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string key_header = "Authorization", key_prefix = "Bearer ";
  OrderedJson body;
};

// An answer as far as it has been read.
struct WireReply {
  std::string text, refusal, finish_reason, model, id;
  TokenUsage usage;
  bool usage_known = false;
  bool terminal = false;  // the marker came without which no answer is complete
  bool finished = false;  // and nothing of use will come any more
  bool tokens = false;    // the model has begun, be it to think
  bool tool_calls = false;
  std::size_t reasoning_bytes = 0;
  Json error;  // an error object inside the answer; null: none
};

class WireReader {
 public:
  virtual ~WireReader() = default;
  // One event of a stream, already parsed.
  virtual void read_event(const Json& event) = 0;
  // A whole answer, from servers that do not stream.
  virtual void read_document(const Json& document) = 0;
  // What the adapter's finish_reason means; for complete replies only.
  virtual ChatOutcome ending() const = 0;

  const WireReply& reply() const { return reply_; }
  void end_marker() { reply_.finished = true; }  // "[DONE]"
  void fail(const Json& error) {
    reply_.error = error;
    reply_.finished = true;
  }

 protected:
  WireReply reply_;
};

// The request in the words of settings.provider. `max_output_tokens` is the cap in force for this attempt.
WireCall wire_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                   int max_output_tokens);
std::unique_ptr<WireReader> wire_reader(const std::string& provider);

// The parts that adapters share.
std::string base_url_of(const ModelSettings& settings);
// "https://host/v1" and "/messages"; a query stays at the end.
std::string joined_url(const std::string& base, const std::string& path);
bool is_blank(const std::string& text);
// All system messages, blank ones left out.
std::string system_text(const ChatRequest& request);
// The rest, blank ones left out: providers refuse them.
std::vector<ChatMessage> turns(const ChatRequest& request);
// Temperature of the request, else of the settings.
std::optional<double> temperature_of(const ModelSettings& settings, const ChatRequest& request);
const std::string& effort_of(const ModelSettings& settings, const ChatRequest& request);
// The answer behind the last `</think>`; nothing where thinking was begun and never ended.
std::string without_reasoning(const std::string& text);
// The body less the conversation: what a record keeps.
std::string parameters_of(const OrderedJson& body);

}  // namespace noctune
