// Stands for a campaign in the kill test: asks SLOTS slots through a spool, four at a time, and appends each
// answer to JOURNAL before it forgets it. Slots that the journal knows are not asked.
// spool_coordinator SPOOL JOURNAL SLOTS
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "llm/spool_chat.hpp"

namespace noctune {
namespace {

class Journal {
 public:
  explicit Journal(const char* path) : file_(::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    std::istringstream lines(read_file(path).value_or(""));
    for (std::string slot, rest; lines >> slot && std::getline(lines, rest);) known_.insert(slot);
  }
  bool knows(const std::string& slot) const { return known_.contains(slot); }
  void add(const std::string& slot, const std::string& text) {
    const std::string line = slot + " " + text + "\n";
    const bool written = ::write(file_.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size());
    if (!written || ::fsync(file_.get()) != 0) std::abort();
    known_.insert(slot);
  }

 private:
  Descriptor file_;
  std::set<std::string> known_;
};

Task<void> ask_slots(SpoolChat& chat, Journal& journal, int& next, int slots) {
  while (next < slots) {
    const CallSlot slot{"gemm", "loop", 0, 1, next++, 0, "write"};
    ChatRequest request;
    request.messages = {{ChatRole::user, "make it faster, in way " + std::to_string(slot.sample)}};
    while (!journal.knows(slot_text(slot))) {
      const ChatReply reply = co_await chat.ask(slot, request);
      if (reply.outcome != ChatOutcome::ok) continue;  // a call that failed is made again
      journal.add(slot_text(slot), reply.text);
      chat.forget(slot);
    }
  }
}

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  using namespace noctune;
  if (argc != 4) return 2;
  asio::io_context io;
  SpoolChatSettings settings;
  settings.campaign = "kill test";
  settings.poll_s = 0.02;
  settings.warn = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
  SpoolChat chat(io, value_or_throw(SpoolFolder::open(argv[1])), settings);
  Journal journal(argv[2]);
  int next = 0;
  for (int i = 0; i < 4; ++i)
    asio::co_spawn(io, ask_slots(chat, journal, next, std::atoi(argv[3])), asio::detached);
  io.run();
  return 0;
}
