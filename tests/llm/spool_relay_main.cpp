// The relay of the kill test, with an endpoint that logs what it is asked and what it delivers, and whether
// the answer had been received before.
// spool_relay SPOOL LOG JOURNAL
#include <fcntl.h>
#include <unistd.h>

#include <asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/digest.hpp"
#include "base/files.hpp"
#include "llm/relay.hpp"

namespace noctune {
namespace {

class LoggingChat final : public ChatService {
 public:
  LoggingChat(const char* log, std::string journal, const SpoolFolder& spool)
      : file_(::open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)),
        journal_(std::move(journal)),
        spool_(spool) {}

  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override {
    const std::string id = random_uuid(), where = slot_text(slot);
    const std::string name = spool_name({"kill test", slot, original(request)});
    if (spool_.answered(name)) log("violation: answered before", where, id);
    if (read_file(journal_).value_or("").find(where + " ") != std::string::npos)
      log("violation: journalled before", where, id);
    log("asked", where, id);
    co_await sleep_for(0.1 + 0.002 * static_cast<double>(random_u64() % 100));
    log("delivered", where, id);
    ChatReply reply;
    reply.outcome = ChatOutcome::ok;
    reply.text = id;
    reply.attempts = 1;
    reply.usage.in = reply.usage.out = 1;
    co_return reply;
  }
  std::string describe() const override { return "the endpoint of the kill test"; }
  void stop() override {}

 private:
  static ChatRequest original(ChatRequest request) {
    request.max_output_tokens = 0;  // the relay has set its own
    return request;
  }
  void log(const char* what, const std::string& slot, const std::string& id) {
    const std::string line = std::string(what) + " " + slot + " " + id + "\n";
    if (::write(file_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
  }

  Descriptor file_;
  std::string journal_;
  const SpoolFolder& spool_;
};

}  // namespace
}  // namespace noctune

int main(int argc, char** argv) {
  using namespace noctune;
  if (argc != 4) return 2;
  asio::io_context io;
  const SpoolFolder spool = value_or_throw(SpoolFolder::open(argv[1]));
  LoggingChat endpoint(argv[2], argv[3], spool);
  RelaySettings settings;
  settings.poll_s = 0.02;
  settings.stale_s = 2;
  settings.model.concurrency = 3;
  settings.on_note = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
  Relay relay(io, spool, endpoint, settings);
  asio::signal_set signals(io, SIGTERM);
  signals.async_wait([&](const asio::error_code& wrong, int) {
    if (!wrong) relay.stop();
  });
  asio::co_spawn(io, relay.run(), [&](std::exception_ptr, RelayTotals) { signals.cancel(); });
  io.run();
  return 0;
}
