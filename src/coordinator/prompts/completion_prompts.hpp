// The requests that ask a model to complete a MEP. The system message is the contract of the spec's form, the
// same for every hotspot; the first `stable_prefix` bytes of the user message are equal for all requests of
// one hotspot.
#pragma once

#include <optional>
#include <string>

#include "coordinator/prompts/template_set.hpp"
#include "model/chat.hpp"
#include "model/mep_draft.hpp"
#include "model/source_facts.hpp"
#include "model/task.hpp"

namespace noctune {

struct CompletionPrompt {
  CompletionInput input;
  SourceFacts facts;
  std::string original;  // K(0) unless the answer gives another
  MepLimits limits;
  PlatformSettings platform;
  std::vector<std::string> flags;
  DeviceFacts device;
  std::optional<MepDraft> draft;   // of the rules
  std::optional<Error> refusal;    // why the rules made none, or why it cannot be built
  std::optional<Baselined> tried;  // what running the draft found
};

// A MEP that did not hold, as an evaluation: its verdict, message and diagnostics.
struct FailedCompletion {
  std::string reply;
  Evaluation trouble;
  int repairs_left = 0;  // this one included
};

ChatRequest complete_prompt(const PromptTemplates& templates, const CompletionPrompt& prompt);
ChatRequest complete_repair_prompt(const PromptTemplates& templates, const CompletionPrompt& prompt,
                                   const FailedCompletion& failed);
// The answer could not be read, for the reason `error`.
ChatRequest complete_format_prompt(const PromptTemplates& templates, const CompletionPrompt& prompt,
                                   const std::string& reply, const Error& error);

}  // namespace noctune
