#include "llm/booking.hpp"

#include "llm/price.hpp"

namespace noctune {
namespace {

// The estimate errs upwards by half at most for code and prose; runs of spaces can double that.
constexpr double cut_share = 0.4;
constexpr long long smallest_prompt = 1000;

}  // namespace

TokenUsage booked_usage(const Finding& finding, const WireReply& reply, const ChatRequest& request,
                        int output_cap) {
  if (reply.usage_known) return reply.usage;
  TokenUsage out = reply.usage;  // the prompt may be known already
  const bool answered = reply.tokens || reply.terminal;
  if (!answered && !finding.ambiguous) return {};
  out.estimated = true;
  if (out.in == 0) out.in = estimated_tokens(request);
  out.out = finding.ambiguous ? output_cap : estimated_tokens(reply.text.size() + reply.reasoning_bytes);
  return out;
}

void add(TokenUsage& sum, const TokenUsage& one) {
  sum.in += one.in;
  sum.cached += one.cached;
  sum.written += one.written;
  sum.out += one.out;
  sum.reasoning += one.reasoning;
  sum.estimated = sum.estimated || one.estimated;
}

bool prompt_was_cut(const WireReply& reply, const ChatRequest& request) {
  const long long expected = estimated_tokens(request);
  return reply.usage_known && reply.usage.in > 0 && expected >= smallest_prompt &&
         static_cast<double>(reply.usage.in) < cut_share * static_cast<double>(expected);
}

}  // namespace noctune
