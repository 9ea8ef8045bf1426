#include "llm/spool_chat.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "llm/relay_watch.hpp"

namespace noctune {
namespace {

constexpr int looks_before_missing = 3;

ChatReply failure(ChatOutcome outcome, std::string message) {
  ChatReply reply;
  reply.outcome = outcome;
  reply.message = std::move(message);
  reply.provider = "spool";
  return reply;
}

// What a file looked like: one written in place, by an editor or cp, is whole when it no longer changes.
struct Shape {
  std::uintmax_t size = 0;
  std::filesystem::file_time_type written;
  bool operator==(const Shape&) const = default;
};

}  // namespace

// All open requests and the one coroutine that looks for their replies. It lives as long as that coroutine.
class SpoolChat::Poller : public std::enable_shared_from_this<Poller> {
 public:
  struct Open {
    explicit Open(asio::io_context& io) : changed(io) {}
    Signal changed;
    SpooledRequest asked;
    std::optional<ChatReply> reply;
    int waiters = 0;
    int looks = 0, missing = 0;
    std::optional<Shape> shape;
  };

  Poller(asio::io_context& io, SpoolFolder spool, SpoolChatSettings settings)
      : io_(io),
        spool_(std::move(spool)),
        settings_(std::move(settings)),
        watch_(spool_, settings_.silence_s),
        timer_(io) {}

  Task<ChatReply> wait_for(SpooledRequest asked, std::string name) {
    const std::shared_ptr<Poller> self = shared_from_this();
    std::shared_ptr<Open>& place = open_[name];
    if (!place) {
      place = std::make_shared<Open>(io_);
      place->asked = std::move(asked);
    }
    const std::shared_ptr<Open> open = place;
    ++open->waiters;
    if (Result<void> sent = submit(name, *open); !sent) {
      leave(name, *open);
      co_return failure(ChatOutcome::transport, sent.error().text());
    }
    start();
    const double begun = steady_seconds();
    const int first_look = open->looks;
    while (!open->reply && !stopped_) {
      // Twice seen, since an answer written in place counts only when it has not changed.
      const bool looked = open->looks >= first_look + 2 && steady_seconds() - begun >= settings_.grace_s;
      if (settings_.exit_when_waiting && looked) break;
      co_await open->changed.wait();
    }
    leave(name, *open);
    if (open->reply) co_return *open->reply;
    if (stopped_) co_return failure(ChatOutcome::stopped, "the run is being stopped");
    co_return failure(ChatOutcome::waiting, "no reply to " + (name + " in ") + spool_.path().string() +
                                                " yet; the request stays there for a relay or a person");
  }

  void stop() {
    stopped_ = true;
    timer_.cancel();
    for (const auto& [name, open] : open_) open->changed.notify();
  }
  const SpoolFolder& spool() const { return spool_; }
  const SpoolChatSettings& settings() const { return settings_; }

 private:
  void leave(const std::string& name, Open& open) {
    if (--open.waiters == 0) open_.erase(name);
    if (open_.empty()) timer_.cancel();
  }

  bool under_way(const std::string& name) const {
    const auto claimed = [&] {
      const std::vector<SpoolClaim> claims = spool_.claims();
      return std::any_of(claims.begin(), claims.end(), [&](const SpoolClaim& c) { return c.name == name; });
    };
    // A request may move from req/ to work/ and back while this looks.
    return spool_.has(SpoolPlace::req, name + ".txt") || claimed() ||
           spool_.has(SpoolPlace::req, name + ".txt") || spool_.answered(name);
  }

  Result<void> submit(const std::string& name, const Open& open) {
    if (open.reply || under_way(name)) return {};
    return spool_.put(SpoolPlace::req, name + ".txt", request_text(open.asked));
  }

  void start() {
    if (running_) return;
    running_ = true;
    last_sign_ = steady_seconds();
    warn_after_s_ = settings_.silence_s;
    asio::co_spawn(
        io_, [](std::shared_ptr<Poller> self) -> Task<void> { co_await self->poll(); }(shared_from_this()),
        asio::detached);
  }

  Task<void> poll() {
    while (!stopped_ && !open_.empty()) {
      look();
      timer_.expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(
          std::chrono::duration<double>(settings_.poll_s)));
      asio::error_code woken;
      co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    running_ = false;
  }

  void look() {
    std::set<std::string> answers, asked;
    for (const std::string& file : spool_.list(SpoolPlace::rsp)) answers.insert(file);
    for (int i = 0; i < 2; ++i) {  // twice: a request may move from work/ back to req/ between the two
      for (const std::string& name : spool_.requests()) asked.insert(name);
      for (const SpoolClaim& claim : spool_.claims()) asked.insert(claim.name);
    }
    for (const auto& [name, open] : open_) {
      const std::string file = name + ".txt";
      // What earlier runs have received is there from the start.
      const bool there = answers.contains(file) ||
                         (open->looks < looks_before_missing && spool_.has(SpoolPlace::done, file));
      if (!open->reply && there) take_reply(name, *open);
      if (!open->reply) keep_asking(name, *open, asked.contains(name) || there);
      ++open->looks;
      open->changed.notify();
    }
    look_for_relays();
  }

  void take_reply(const std::string& name, Open& open) {
    const std::string file = name + ".txt";
    const SpoolPlace place = spool_.has(SpoolPlace::rsp, file) ? SpoolPlace::rsp : SpoolPlace::done;
    const Result<std::string> text = spool_.read(place, file);
    if (!text && !spool_.has(place, file)) return;
    Result<ChatReply> reply = text ? reply_from(*text) : Failure(text.error());
    if (!reply) {
      spool_.reject(place, file, reply.error().text());
      warn("an answer was malformed and is in bad/ now: " + file + ": " + reply.error().text());
      return;
    }
    if (!has_reply_header(*text) && !settled(spool_.file(place, file), *reply, open)) return;
    open.reply = std::move(*reply);
    if (place == SpoolPlace::rsp && !is_answer(open.reply->outcome)) spool_.archive_reply(name, false);
    // An answer by hand leaves its request behind.
    if (is_answer(open.reply->outcome)) spool_.remove(SpoolPlace::req, file);
  }

  // Whether a file without a header is as it was at the last look; an empty one is still to be written.
  static bool settled(const std::filesystem::path& path, const ChatReply& reply, Open& open) {
    std::error_code wrong;
    const Shape now{std::filesystem::file_size(path, wrong), std::filesystem::last_write_time(path, wrong)};
    const bool same = !wrong && open.shape == now && reply.outcome == ChatOutcome::ok;
    open.shape = now;
    return same;
  }

  // Puts a request back that somebody has removed.
  void keep_asking(const std::string& name, Open& open, bool seen) {
    open.missing = seen ? 0 : open.missing + 1;
    if (open.missing < looks_before_missing) return;
    open.missing = 0;
    if (Result<void> sent = submit(name, open); !sent) warn(sent.error().text());
  }

  void look_for_relays() {
    watch_.look();
    const double now = steady_seconds();
    if (watch_.any_alive()) {
      last_sign_ = now;
      warn_after_s_ = settings_.silence_s;
    }
    if (now - last_sign_ < warn_after_s_) return;
    warn("nobody has looked at the " + std::to_string(open_.size()) + " open requests in " +
         spool_.path().string() + " for " + duration_text(now - last_sign_) +
         "; on a node with a network run: noctune relay --spool " + spool_.path().string() +
         " --config CAMPAIGN, or answer by hand as the requests say");
    warn_after_s_ *= 2;
  }

  void warn(const std::string& text) const {
    if (settings_.warn) settings_.warn(text);
  }

  asio::io_context& io_;
  SpoolFolder spool_;
  SpoolChatSettings settings_;
  RelayWatch watch_;
  asio::steady_timer timer_;
  std::map<std::string, std::shared_ptr<Open>> open_;
  bool running_ = false, stopped_ = false;
  double last_sign_ = 0, warn_after_s_ = 0;
};

SpoolChat::SpoolChat(asio::io_context& io, SpoolFolder spool, SpoolChatSettings settings)
    : poller_(std::make_shared<Poller>(io, std::move(spool), std::move(settings))) {}

SpoolChat::~SpoolChat() {
  poller_->stop();
}

Task<ChatReply> SpoolChat::ask(CallSlot slot, ChatRequest request) {
  SpooledRequest asked{poller_->settings().campaign, slot, std::move(request)};
  std::string name = spool_name(asked);
  const std::string kept = name;
  ChatReply reply = co_await poller_->wait_for(std::move(asked), std::move(name));
  if (is_answer(reply.outcome)) delivered_.emplace(slot_text(slot), kept);
  co_return reply;
}

std::string SpoolChat::describe() const {
  return "spool at " + poller_->spool().path().string();
}

void SpoolChat::stop() {
  poller_->stop();
}

void SpoolChat::forget(const CallSlot& slot) {
  const auto [begin, end] = delivered_.equal_range(slot_text(slot));
  for (auto at = begin; at != end; ++at) poller_->spool().archive_reply(at->second, true);
  delivered_.erase(begin, end);
}

}  // namespace noctune
