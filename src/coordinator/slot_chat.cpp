#include "coordinator/slot_chat.hpp"

namespace noctune {
namespace {

// After these, asking once more in this run is in vain: the service below has retried what can be retried.
bool ends_asking(ChatOutcome outcome) {
  switch (outcome) {
    case ChatOutcome::over_budget:
    case ChatOutcome::quota_dead:
    case ChatOutcome::auth_dead:
    case ChatOutcome::interference:
    case ChatOutcome::rate_limited:
    case ChatOutcome::overloaded:
    case ChatOutcome::transport:
      return true;
    default:
      return false;
  }
}

}  // namespace

Task<RecordedReply> SlotChat::ask(CallSlot slot, std::function<ChatRequest()> render) {
  if (std::optional<RecordedReply> known = memory_.known_call(hotspot_, slot)) {
    count(known->reply);
    co_return std::move(*known);
  }
  RecordedReply out;
  if (gone_) {
    out.reply.outcome = ChatOutcome::over_budget;
    out.reply.message = "no further call is made in this run";
    co_return out;
  }
  std::optional<ChatRequest> open = memory_.open_call(hotspot_, slot);
  ChatRequest request = open ? std::move(*open) : render();
  out.call = memory_.call_sent(hotspot_, slot, request);
  if (!memory_.keeps()) throw StopRequested();
  out.reply = co_await service_.ask(slot, std::move(request));
  // Also where nothing was sent, or nothing came: what it cost is known then.
  memory_.call_answered(hotspot_, slot, out.reply);
  if (out.reply.outcome == ChatOutcome::stopped || !memory_.keeps()) throw StopRequested();
  if (out.reply.outcome == ChatOutcome::waiting) throw WaitingForModel();
  service_.recorded(slot);
  count(out.reply);
  notice(out.reply);
  co_return out;
}

void SlotChat::count(const ChatReply& reply) {
  ++used_.calls;
  used_.tokens += reply.usage.in + reply.usage.out;
  used_.cost += reply.cost;
}

void SlotChat::notice(const ChatReply& reply) {
  if (reply.outcome == ChatOutcome::ok) return;
  const bool first = !gone_;
  gone_ = gone_ || ends_asking(reply.outcome);
  if (!first) return;
  told_(std::string("the model's answer: ") + to_text(reply.outcome) + ", " + reply.message +
        (gone_ ? "; " + when_gone_ : ""));
}

}  // namespace noctune
