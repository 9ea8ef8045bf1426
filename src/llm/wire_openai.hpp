// Chat completions: OpenAI's own and the many servers that speak it with an accent.
#pragma once

#include "llm/wire.hpp"

namespace noctune {

WireCall openai_call(const ModelSettings& settings, const ChatRequest& request, const std::string& model,
                     int max_output_tokens);

// Complete with a finish_reason; a missing [DONE] means only that usage may be missing as well.
class OpenAiReader final : public WireReader {
 public:
  void read_event(const Json& event) override;
  void read_document(const Json& document) override;
  ChatOutcome ending() const override;

 private:
  void read_usage(const Json& usage);
  void read_choice(const Json& choice, const char* part);
};

}  // namespace noctune
