// Anthropic's Messages.
#pragma once

#include "llm/wire.hpp"

namespace noctune {

// The system text and the first `stable_prefix` bytes of the first user message are marked for the cache.
WireCall anthropic_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                        int max_output_tokens);

// Complete with message_stop.
class AnthropicReader final : public WireReader {
 public:
  void read_event(const Json& event) override;
  void read_document(const Json& document) override;
  ChatOutcome ending() const override;

 private:
  void read_usage(const Json& usage);
  void read_block(const Json& block);
  void read_delta(const Json& delta);
  void read_stop(const Json& holder);

  long long fresh_ = 0, written_ = 0, read_ = 0;
};

}  // namespace noctune
