// OpenAI's Responses.
#pragma once

#include "llm/wire.hpp"

namespace noctune {

WireCall responses_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                        int max_output_tokens);

// Complete with response.completed, .incomplete or .failed, each of which carries the whole answer.
class ResponsesReader final : public WireReader {
 public:
  void read_event(const Json& event) override;
  void read_document(const Json& document) override;
  ChatOutcome ending() const override;

 private:
  void read_usage(const Json& usage);
  void read_output(const Json& output);
};

}  // namespace noctune
