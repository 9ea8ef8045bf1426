// A chat service that answers from a script, by slot, and remembers what it was asked.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llm/chat_service.hpp"

namespace noctune {

inline ChatReply ok_reply(std::string text) {
  ChatReply reply;
  reply.outcome = ChatOutcome::ok;
  reply.text = std::move(text);
  reply.provider = "fake";
  reply.model_asked = reply.model_served = "fake-1";
  reply.finish_reason = "stop";
  reply.usage.in = 30;
  reply.usage.out = 10;
  reply.attempts = 1;
  return reply;
}

inline ChatReply failed_reply(ChatOutcome outcome, std::string message = "scripted failure") {
  ChatReply reply;
  reply.outcome = outcome;
  reply.message = std::move(message);
  reply.provider = "fake";
  reply.attempts = 1;
  return reply;
}

class FakeChat final : public ChatService {
 public:
  explicit FakeChat(asio::io_context& io) : changed_(io) {}

  // Several replies of one slot are given in turn; the last one stays.
  void script(const std::string& slot, ChatReply reply) { replies_[slot].push_back(std::move(reply)); }
  void script(const std::string& slot, const std::string& text) { script(slot, ok_reply(text)); }
  // For slots without a script. "answer to SLOT" if never set.
  void otherwise(ChatReply reply) { otherwise_ = {std::move(reply)}; }
  // Calls stay open from now on, until released.
  void hold() { held_ = true; }
  void release() {
    held_ = false;
    changed_.notify();
  }

  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override {
    asked_.emplace_back(slot, std::move(request));
    ++calls_[slot_text(slot)];
    ++open_;
    changed_.notify();
    while (held_ && !stopped_) co_await changed_.wait();
    --open_;
    if (stopped_) co_return failed_reply(ChatOutcome::stopped);
    co_return next(slot_text(slot));
  }
  std::string describe() const override { return "a script"; }
  void stop() override {
    stopped_ = true;
    changed_.notify();
  }

  // Waits until so many calls were made.
  Task<void> until_asked(std::size_t count) {
    while (asked_.size() < count) co_await changed_.wait();
  }

  const std::vector<std::pair<CallSlot, ChatRequest>>& asked() const { return asked_; }
  int calls(const std::string& slot) const {
    const auto found = calls_.find(slot);
    return found == calls_.end() ? 0 : found->second;
  }
  int open() const { return open_; }

 private:
  ChatReply next(const std::string& slot) {
    const auto found = replies_.find(slot);
    if (found == replies_.end()) return otherwise_.empty() ? ok_reply("answer to " + slot) : otherwise_[0];
    ChatReply reply = found->second.front();
    if (found->second.size() > 1) found->second.pop_front();
    return reply;
  }

  Signal changed_;
  std::map<std::string, std::deque<ChatReply>> replies_;
  std::vector<ChatReply> otherwise_;
  std::vector<std::pair<CallSlot, ChatRequest>> asked_;
  std::map<std::string, int> calls_;
  int open_ = 0;
  bool held_ = false, stopped_ = false;
};

}  // namespace noctune
