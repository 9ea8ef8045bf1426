// Answers by slot from a record: a folder of plain files, or what an earlier campaign received.
#pragma once

#include <filesystem>
#include <map>

#include "llm/chat_service.hpp"

namespace noctune {

// A slot without an answer is `empty`, with a message that names what is missing. Nothing is ever sent.
class ReplayChat final : public ChatService {
 public:
  // Answers lie in files named by the slot, "gemm.loop.0.2.1.0.write.md"; see docs/spool.md. They are read
  // when asked for, so they may be written while this is in use.
  explicit ReplayChat(std::filesystem::path folder);
  // By slot_text.
  explicit ReplayChat(std::map<std::string, ChatReply> replies, std::string source = "earlier replies");

  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override;
  std::string describe() const override;
  void stop() override { stopped_ = true; }

 private:
  ChatReply from_folder(const CallSlot& slot) const;
  ChatReply from_map(const CallSlot& slot) const;

  std::filesystem::path folder_;  // empty: the map answers
  std::map<std::string, ChatReply> replies_;
  std::string source_;
  bool stopped_ = false;
};

}  // namespace noctune
