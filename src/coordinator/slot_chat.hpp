// Model calls by slot: an answered slot returns its recorded answer, unrendered and unpaid; one that was sent
// in an earlier run is sent again as it was; any other is rendered, recorded, sent, and recorded again with
// its answer.
#pragma once

#include <functional>
#include <string>

#include "coordinator/services.hpp"
#include "llm/chat_service.hpp"

namespace noctune {

class SlotChat {
 public:
  // `told` hears what people should know; `when_gone` says what follows once no call can be answered any
  // more.
  SlotChat(ChatService& service, CallMemory& memory, long long hotspot,
           std::function<void(const std::string&)> told,
           std::string when_gone = "the search goes on with rules")
      : service_(service),
        memory_(memory),
        hotspot_(hotspot),
        told_(std::move(told)),
        when_gone_(std::move(when_gone)) {}

  // Throws StopRequested and WaitingForModel; every other outcome is in the reply.
  Task<RecordedReply> ask(CallSlot slot, std::function<ChatRequest()> render);
  // What reading the answer found.
  void read(const CallSlot& slot, const std::string& reading) { memory_.call_read(hotspot_, slot, reading); }

  // No further call can be answered in this run.
  bool gone() const { return gone_; }
  const ArmUsage& used() const { return used_; }

 private:
  void count(const ChatReply& reply);
  void notice(const ChatReply& reply);

  ChatService& service_;
  CallMemory& memory_;
  long long hotspot_;
  std::function<void(const std::string&)> told_;
  std::string when_gone_;
  ArmUsage used_;
  bool gone_ = false;
};

}  // namespace noctune
