// What an attempt used, where the provider did not say.
#pragma once

#include "llm/reply_reader.hpp"

namespace noctune {

// The provider's count; else an estimate of what was sent and received; for an attempt that may have been
// served without our seeing it, all that it was allowed to use. Nothing where the provider refused.
TokenUsage booked_usage(const Finding& finding, const WireReply& reply, const ChatRequest& request,
                        int output_cap);
void add(TokenUsage& sum, const TokenUsage& one);
// Whether the server counted far fewer tokens than the prompt must have: it has cut it silently.
bool prompt_was_cut(const WireReply& reply, const ChatRequest& request);

}  // namespace noctune
