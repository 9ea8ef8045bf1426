#include "llm/relay.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/process_types.hpp"

// The way of a request, in files:
//   req/N.txt -> work/N@RELAY.txt   the claim, one rename
//   work/N@RELAY.sent               before sending: how often, and what is reserved for it
//   rsp/N.txt                       the reply, before anything else is done
//   work/N@*.sent, work/N@RELAY.txt removed: the marks that were there before sending and its own
// Whoever finds a claim of a dead relay looks at rsp/ and done/ first, then gives the request back; the mark
// stays, so the next relay knows.

namespace noctune {
namespace {

constexpr int most_sendings = 2;

ChatReply failure(ChatOutcome outcome, std::string message) {
  ChatReply reply;
  reply.outcome = outcome;
  reply.message = std::move(message);
  reply.provider = "relay";
  return reply;
}

asio::steady_timer::duration seconds_of(double seconds) {
  return std::chrono::duration_cast<asio::steady_timer::duration>(std::chrono::duration<double>(seconds));
}

// Nobody can be answered until a person has seen to it.
bool is_dead_end(ChatOutcome outcome) {
  return outcome == ChatOutcome::auth_dead || outcome == ChatOutcome::quota_dead;
}

ChatReply given_up(const SpoolAttempts& attempts) {
  ChatReply reply =
      failure(ChatOutcome::transport, "sent " + std::to_string(attempts.sent) +
                                          " times by relays that ended before a reply came; all are booked");
  reply.usage.in = attempts.tokens;
  reply.usage.estimated = true;
  reply.cost = static_cast<double>(attempts.micros) / 1e6;
  reply.attempts = attempts.sent;
  return reply;
}

// What earlier attempts, whose replies never came, are taken to have used.
void add_earlier(const SpoolAttempts& earlier, ChatReply& reply) {
  if (earlier.sent == 0) return;
  reply.usage.in += earlier.tokens;
  reply.usage.estimated = true;
  reply.cost += static_cast<double>(earlier.micros) / 1e6;
  reply.attempts += earlier.sent;
}

}  // namespace

Relay::Relay(asio::io_context& io, SpoolFolder spool, ChatService& service, RelaySettings settings)
    : io_(io),
      spool_(std::move(spool)),
      service_(service),
      settings_(std::move(settings)),
      gate_(io, settings_.model),
      heartbeat_(spool_),
      watch_(spool_, settings_.stale_s),
      changed_(io),
      poll_timer_(io),
      beat_timer_(io) {}

std::string Relay::describe() const {
  return service_.describe() + ", for the spool " + spool_.path().string();
}

void Relay::note(const std::string& text) const {
  if (settings_.on_note) settings_.on_note(text);
}

void Relay::stop() {
  stopping_ = true;
  poll_timer_.cancel();
}

void Relay::hurry() {
  stop();
  hurried_ = true;
  gate_.stop();
  service_.stop();
}

Task<RelayTotals> Relay::run() {
  spool_.clear_stop();  // before the heartbeat: who sees that asks this relay to stop
  if (Result<void> beat = heartbeat_.beat(); !beat) {
    totals_.problem = beat.error().text();
    co_return totals_;
  }
  keeping_alive_ = true;
  asio::co_spawn(io_, keep_alive(), asio::detached);
  while (!stopping_) {
    if (spool_.stop_wanted()) break;
    recover_claims();
    book_others();
    take_requests();
    if (settings_.once && open_ == 0) break;
    poll_timer_.expires_after(seconds_of(settings_.poll_s));
    asio::error_code woken;
    co_await poll_timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  }
  stopping_ = true;
  while (open_ > 0) co_await changed_.wait();
  beating_ = false;
  beat_timer_.cancel();
  while (keeping_alive_) co_await changed_.wait();  // it uses what is about to go
  co_return totals_;
}

Task<void> Relay::keep_alive() {
  bool complained = false;
  while (beating_) {
    const Result<void> beat = heartbeat_.beat();
    if (!beat && !complained) note("cannot write the heartbeat: " + beat.error().text());
    complained = !beat;
    beat_timer_.expires_after(seconds_of(settings_.beat_s));
    asio::error_code woken;
    co_await beat_timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
  }
  keeping_alive_ = false;
  changed_.notify();
}

void Relay::recover_claims() {
  const std::vector<SpoolClaim> claims = spool_.claims();
  watch_.look();
  for (const SpoolClaim& claim : claims) {
    if (claim.relay == heartbeat_.id() || !watch_.dead(claim.relay)) continue;
    if (spool_.answered(claim.name)) {
      spool_.drop(claim);
    } else if (spool_.give_back(claim)) {
      note("took " + claim.name + " over from the relay " + printable(claim.relay) + ", which is gone");
    }
  }
  for (const SpoolClaim& sender : spool_.all_senders())
    if (watch_.dead(sender.relay) && spool_.answered(sender.name)) spool_.drop(sender);
  watch_.clear_dead();
}

// The account holds what any relay has written into this spool, so a restart does not forget what was spent.
// A failure gets another name in done/, and then its own name is free for the next reply.
void Relay::book_others() {
  for (const SpoolPlace place : {SpoolPlace::rsp, SpoolPlace::done})
    for (const std::string& file : spool_.list(place)) {
      if (!booked_.insert(file).second) continue;
      const auto failed = file.find(".failed-");
      if (failed != std::string::npos && booked_.erase(file.substr(0, failed) + ".txt") > 0) continue;
      const Result<std::string> text = spool_.read(place, file);
      if (!text || !has_reply_header(*text)) continue;
      const Result<ChatReply> reply = reply_from(*text);
      if (reply) gate_.budget().earlier("", spending_of(*reply, settings_.model.prices));
    }
}

void Relay::take_requests() {
  const int most = std::max(1, settings_.model.concurrency);
  for (const std::string& name : spool_.requests()) {
    if (open_ >= most) return;
    const SpoolClaim claim{name, heartbeat_.id()};
    if (serving_.contains(name) || !spool_.take(claim)) continue;
    ++open_;
    serving_.insert(name);
    asio::co_spawn(io_, serve(claim), [this, name](std::exception_ptr thrown) {
      if (thrown) note("a request could not be served; it stays in work/ until this relay ends");
      --open_;
      serving_.erase(name);
      changed_.notify();
      poll_timer_.cancel();  // there is room for another
    });
  }
}

Task<void> Relay::serve(SpoolClaim claim) {
  const std::vector<SpoolClaim> all = spool_.claims();
  const bool served = std::any_of(all.begin(), all.end(), [&](const SpoolClaim& other) {
    return other.name == claim.name && other.relay != claim.relay;
  });
  if (served || spool_.answered(claim.name)) {
    spool_.remove(SpoolPlace::work, claim.file());  // not the mark: it may have been sent in vain
    co_return;
  }
  Result<std::string> text = spool_.read(SpoolPlace::work, claim.file());
  Result<SpooledRequest> asked = text ? request_from(*text) : Failure(text.error());
  if (asked) {
    SpooledRequest request = std::move(*asked);
    co_await ask_and_store(claim, std::move(request));
    co_return;
  }
  const std::string why = asked.error().text();
  note("a malformed request is in bad/ now: " + claim.name + ": " + printable(why));
  spool_.reject(SpoolPlace::work, claim.file(), why);
  ChatReply reply = failure(ChatOutcome::bad_request, "the relay cannot read the request: " + why);
  const CallSlot nowhere;
  const std::vector<SpoolClaim> senders = spool_.senders(claim.name);
  co_await store(claim, nowhere, std::move(reply), senders);
}

std::optional<ChatReply> Relay::refusal(const SpooledRequest& asked) const {
  const std::vector<std::string>& models = settings_.model.models;
  const std::string& model = asked.request.model;
  if (model.empty() || std::find(models.begin(), models.end(), model) != models.end()) return {};
  std::string known;
  for (const std::string& one : models) known += (known.empty() ? "" : ", ") + one;
  ChatReply reply = failure(ChatOutcome::bad_request,
                            "the relay does not ask the model \"" + model + "\"; it may ask " +
                                (known.empty() ? "its endpoint's own model, which needs no name" : known));
  reply.param = "model";
  return reply;
}

Task<void> Relay::ask_and_store(SpoolClaim claim, SpooledRequest asked) {
  Spending reserved;
  ChatReply reply;
  const std::vector<SpoolClaim> senders = spool_.senders(claim.name);
  const SpoolAttempts earlier = sum_of(senders), own_before = spool_.attempts(claim);
  if (std::optional<ChatReply> refused = refusal(asked)) {
    reply = std::move(*refused);
  } else if (earlier.sent >= most_sendings) {
    reply = given_up(earlier);
  } else {
    reply = co_await ask(claim, asked, reserved);
    if (reply.outcome == ChatOutcome::stopped || reply.outcome == ChatOutcome::waiting ||
        is_dead_end(reply.outcome)) {
      gate_.settle(asked.slot, asked.request, reserved, reply);
      put_back(claim, reply, own_before);
      co_return;
    }
    add_earlier(earlier, reply);
  }
  co_await store(claim, asked.slot, reply, senders);
  gate_.settle(asked.slot, asked.request, reserved, reply);
}

Task<ChatReply> Relay::ask(const SpoolClaim& claim, const SpooledRequest& asked, Spending& reserved) {
  ChatRequest request = asked.request;
  const int most = settings_.model.max_output_tokens;
  request.max_output_tokens =
      request.max_output_tokens > 0 ? std::min(request.max_output_tokens, most) : most;
  const BudgetGate::Entry entry = co_await gate_.enter(asked.slot, request);
  if (entry.refused)
    co_return failure(hurried_ ? ChatOutcome::stopped : ChatOutcome::over_budget, entry.refused->message);
  reserved = entry.reserved;
  SpoolAttempts attempts = spool_.attempts(claim);
  attempts.sent += 1;
  attempts.micros += reserved.micros;
  attempts.tokens += reserved.tokens;
  if (Result<void> kept = spool_.set_attempts(claim, attempts); !kept) {
    note(kept.error().text());
    co_return failure(ChatOutcome::stopped, kept.error().text());
  }
  ChatReply reply = co_await service_.ask(asked.slot, request);
  co_return gate_.priced(reserved, std::move(reply));
}

// The request waits for another try. What never left this process does not count as sent.
void Relay::put_back(const SpoolClaim& claim, const ChatReply& reply, const SpoolAttempts& own_before) {
  if (reply.attempts == 0 || is_dead_end(reply.outcome)) {
    if (own_before.sent == 0) spool_.remove(SpoolPlace::work, claim.sent_file());
    if (own_before.sent > 0) (void)spool_.set_attempts(claim, own_before);  // else one too many is booked
  }
  spool_.give_back(claim);
  if (!is_dead_end(reply.outcome)) return;
  totals_.problem = std::string("nothing can be answered: ") + to_text(reply.outcome) + ": " + reply.message;
  stop();
}

// Received means paid: the reply is kept until it is in its place.
Task<void> Relay::store(const SpoolClaim& claim, const CallSlot& slot, ChatReply reply,
                        const std::vector<SpoolClaim>& senders) {
  const std::string text = reply_text(reply), file = claim.name + ".txt";
  Result<void> done = spool_.put(SpoolPlace::rsp, file, text);
  if (!booked_.insert(file).second) {  // an earlier failure of that name
    book_others();
    booked_.insert(file);
  }
  if (!done) note("cannot store a reply, trying on: " + done.error().text());
  while (!done && !hurried_) {
    co_await sleep_for(settings_.poll_s);
    done = spool_.put(SpoolPlace::rsp, file, text);
  }
  if (!done) {
    save_elsewhere(claim.name, text);
    co_return;
  }
  for (const SpoolClaim& sender : senders) spool_.remove(SpoolPlace::work, sender.sent_file());
  spool_.drop(claim);
  ++(is_answer(reply.outcome) ? totals_.answers : totals_.failures);
  totals_.spent += spending_of(reply, settings_.model.prices);
  if (settings_.on_reply) settings_.on_reply(slot, reply);
}

SpoolAttempts Relay::sum_of(const std::vector<SpoolClaim>& senders) const {
  SpoolAttempts out;
  for (const SpoolClaim& sender : senders) {
    const SpoolAttempts one = spool_.attempts(sender);
    out.sent += one.sent;
    out.micros += one.micros;
    out.tokens += one.tokens;
  }
  return out;
}

void Relay::save_elsewhere(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / ("noctune-" + name + ".txt");
  if (Result<void> done = replace_file(path, text))
    note("a reply is in " + path.string() + "; move it to " +
         spool_.file(SpoolPlace::rsp, name + ".txt").string());
  else
    note("a reply is lost: " + done.error().text());
}

}  // namespace noctune
