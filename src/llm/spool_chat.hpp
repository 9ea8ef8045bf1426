// Asks through a spool directory: whoever reads it, a relay or a person, answers.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "llm/chat_service.hpp"
#include "llm/spool_folder.hpp"

namespace noctune {

struct SpoolChatSettings {
  std::string campaign;            // its identity; other campaigns may share the spool
  double poll_s = 1;               // network file systems show new files with a delay, oftener is no use
  bool exit_when_waiting = false;  // on_wait: "exit"
  double grace_s = 5;              // what a reply may take all the same
  double silence_s = 60;           // without a relay's sign of life, then warn
  std::function<void(const std::string&)> warn;
};

// A request stays in the spool until it is answered, also when this program has ended; asking the same again
// finds its reply. An answer stays in rsp/ until forget() and in done/ afterwards. A failed call goes to
// done/ when it is delivered, so that asking again asks anew.
class SpoolChat final : public ChatService {
 public:
  SpoolChat(asio::io_context& io, SpoolFolder spool, SpoolChatSettings settings);
  ~SpoolChat() override;
  SpoolChat(const SpoolChat&) = delete;
  SpoolChat& operator=(const SpoolChat&) = delete;

  // `waiting` at once after the grace with exit_when_waiting, else as long as it takes.
  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override;
  std::string describe() const override;
  void recorded(const CallSlot& slot) override { forget(slot); }
  void stop() override;

  // To be called when the slot's answer is safe in the caller's journal.
  void forget(const CallSlot& slot);

 private:
  class Poller;
  std::shared_ptr<Poller> poller_;
  std::multimap<std::string, std::string> delivered_;  // names by slot
};

}  // namespace noctune
