#include "app/relay.hpp"

#include <unistd.h>

#include <cstdio>

#include "app/stop_watch.hpp"
#include "app/terminal.hpp"
#include "base/clock.hpp"
#include "base/mpi.hpp"
#include "base/process_types.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "llm/relay.hpp"
#include "model/campaign_json.hpp"

namespace noctune {
namespace {

ModelSettings settings_of(const Options& options) {
  ModelSettings out;
  if (!options.config.empty()) out = read_campaign(options.config, options.overrides).model;
  if (!options.replay.empty()) {
    out.provider = "replay";
    out.replay = options.replay;
  }
  return out;
}

std::string for_people(const CallSlot& slot, const ChatReply& reply, const std::string& currency) {
  return slot_text(slot) + "  " + to_text(reply.outcome) + "  " +
         (reply.model_served.empty() ? reply.provider : reply.model_served) + "  " +
         std::to_string(reply.usage.in) + " + " + std::to_string(reply.usage.out) + " tokens  " +
         duration_text(reply.seconds) + "  " + fixed(reply.cost, 4) + " " + currency +
         (reply.message.empty() ? "" : "  (" + reply.message + ")");
}

std::string for_programs(const CallSlot& slot, const ChatReply& reply) {
  return "time=" + iso_time(wall_seconds()) + " slot=" + slot_text(slot) +
         " outcome=" + to_text(reply.outcome) + " model=" + reply.model_served +
         " tokens_in=" + std::to_string(reply.usage.in) + " tokens_out=" + std::to_string(reply.usage.out) +
         " seconds=" + fixed(reply.seconds, 2) + " cost=" + fixed(reply.cost, 6) +
         (reply.message.empty() ? "" : " message=" + Json(repaired_utf8(reply.message)).dump());
}

class RelayRun {
 public:
  RelayRun(const Options& options, const ChatFactory& factory)
      : settings_(settings_of(options)),
        service_(factory(io_, settings_, take_key(settings_))),
        relay_(io_, value_or_throw(SpoolFolder::open(options.spool)), *service_, relay_settings(options)),
        stop_watch_(io_, {},
                    {[this](const std::string& why, bool) { stop(why); }, [this] { relay_.hurry(); }}) {}

  int run() {
    stop_watch_.start();
    say("relay: " + relay_.describe());
    RelayTotals totals;
    std::exception_ptr failure;
    asio::co_spawn(io_, relay_.run(), [&](std::exception_ptr thrown, RelayTotals result) {
      failure = thrown;
      totals = std::move(result);
      stop_watch_.stop_watching();
    });
    io_.run();
    if (failure) std::rethrow_exception(failure);
    say("relay: " + std::to_string(totals.answers) + " answers, " + std::to_string(totals.failures) +
        " failures, " + std::to_string(totals.spent.tokens) + " tokens, " +
        fixed(1e-6 * static_cast<double>(totals.spent.micros), 4) + " " + settings_.prices.currency + " in " +
        duration_text(watch_.seconds()));
    if (totals.problem.empty()) return 0;
    std::fprintf(stderr, "noctune: %s\n", printable(totals.problem).c_str());
    return static_cast<int>(Exit::failure);
  }

 private:
  RelaySettings relay_settings(const Options& options) {
    RelaySettings out;
    out.model = settings_;
    out.once = options.once;
    out.on_reply = [this](const CallSlot& slot, const ChatReply& reply) {
      say(terminal_ ? for_people(slot, reply, settings_.prices.currency) : for_programs(slot, reply));
    };
    out.on_note = [](const std::string& text) { say("relay: " + text); };
    return out;
  }

  void stop(const std::string& why) {
    say("relay: stopping after the open calls: " + why + "; a second signal ends them too");
    relay_.stop();
  }

  // Much of it comes from files that anybody may have written.
  static void say(const std::string& text) {
    std::printf("%s\n", printable(text).c_str());
    std::fflush(stdout);
  }

  Stopwatch watch_;
  bool terminal_ = live_wanted(STDOUT_FILENO);
  asio::io_context io_;
  ModelSettings settings_;
  std::unique_ptr<ChatService> service_;
  Relay relay_;
  StopWatch stop_watch_;
};

}  // namespace

int relay(const Options& options, const ChatFactory& factory) {
  if (launcher_rank() != 0) return 0;  // one relay is enough
  RelayRun run(options, factory);
  return run.run();
}

}  // namespace noctune
