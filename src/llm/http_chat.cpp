// One call goes through: a place at the limiter, one exchange, the booking of what it used, a decision what
// to do next; until it is answered or nothing is left to be tried.
#include "llm/http_chat.hpp"

#include <map>
#include <random>
#include <set>

#include "base/clock.hpp"
#include "base/http.hpp"
#include "base/text.hpp"
#include "llm/alarm.hpp"
#include "llm/booking.hpp"
#include "llm/exchange.hpp"
#include "llm/lane.hpp"
#include "llm/price.hpp"

namespace noctune {
namespace {

// One call of ask(), from its first attempt to its end.
struct Ask {
  ChatRequest request;
  ChatReply reply;
  RetryState state;
  int output_cap = 0;
  bool key_reloaded = false, fitted = false;  // each is tried once
  double first_sent_s = 0;                    // 0: not yet
  std::set<std::string> refusals;
};

// Whether the next request will differ: by what this refusal teaches, or another has taught meanwhile.
bool mended(ParameterFixes& fixes, const ChatAttempt& attempt) {
  OrderedJson next = attempt.body;
  apply_fixes(fixes, next);
  return next != attempt.body ||
         learn_from(fixes, attempt.body, attempt.finding.param, attempt.finding.message);
}

HttpOptions http_options(const ModelSettings& settings) {
  HttpOptions out;
  out.connections = settings.concurrency * static_cast<int>(std::max<std::size_t>(1, settings.models.size()));
  out.direct = settings.local;
  out.http2 = settings.http == "2";
  out.ca_file = settings.ca_file;
  return out;
}

class HttpChat final : public ChatService {
 public:
  HttpChat(asio::io_context& io, ModelSettings settings, ApiKey key, const HttpChatOptions& options)
      : io_(io),
        settings_(std::move(settings)),
        key_(std::move(key)),
        policy_(options.retry),
        random_(options.seed),
        http_(io, http_options(settings_)) {
    policy_.total_s = settings_.retry_s;
  }

  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override;
  std::string describe() const override;
  void stop() override;

 private:
  std::vector<std::string> models_for(const ChatRequest& request) const;
  Lane& lane(const std::string& model);
  Task<RetryStep> ask_model(Ask& ask, const std::string& model);
  RetryStep not_admitted(Ask& ask, const std::string& model, const Lane& here, Lane::Admission why) const;
  void book(Ask& ask, const std::string& model, const ChatAttempt& attempt);
  bool may_try_anew(Ask& ask, const ChatAttempt& attempt);
  RetryDecision next_step(Ask& ask, Lane& lane, const ChatAttempt& attempt);
  Task<void> pause(double seconds);
  void end_as(Ask& ask, ChatOutcome outcome, const std::string& message) const;
  double elapsed(const Ask& ask) const {
    return ask.first_sent_s == 0 ? 0 : steady_seconds() - ask.first_sent_s;
  }

  asio::io_context& io_;
  ModelSettings settings_;
  ApiKey key_;
  RetryPolicy policy_;
  std::mt19937_64 random_;
  std::map<std::string, std::unique_ptr<Lane>> lanes_;
  std::set<Alarm*> sleepers_;
  bool stopped_ = false;
  HttpClient http_;
};

std::string HttpChat::describe() const {
  std::string out = settings_.provider;
  if (!settings_.flavour.empty()) out += " (" + settings_.flavour + ")";
  for (std::size_t i = 0; i < settings_.models.size(); ++i)
    out += (i == 0 ? ", model " : ", then ") + settings_.models[i];
  return out + " at " + shown_address(base_url_of(settings_));
}

void HttpChat::stop() {
  stopped_ = true;
  http_.stop();
  for (const auto& [name, lane] : lanes_) lane->stop();
  for (Alarm* alarm : sleepers_) alarm->ring();
}

std::vector<std::string> HttpChat::models_for(const ChatRequest& request) const {
  std::vector<std::string> out;
  if (!request.model.empty()) out.push_back(request.model);
  for (const std::string& model : settings_.models)
    if (model != request.model) out.push_back(model);
  return out;
}

Lane& HttpChat::lane(const std::string& model) {
  std::unique_ptr<Lane>& place = lanes_[model];
  if (!place) place = std::make_unique<Lane>(io_, settings_.concurrency);
  if (stopped_) place->stop();
  return *place;
}

Task<ChatReply> HttpChat::ask(CallSlot, ChatRequest request) {
  Ask ask;
  ask.output_cap = request.max_output_tokens > 0 ? request.max_output_tokens : settings_.max_output_tokens;
  ask.request = std::move(request);
  ask.reply.provider = settings_.provider;
  end_as(ask, ChatOutcome::bad_request, "no model is named: set model.models");
  const int output_cap = ask.output_cap;
  for (const std::string& model : models_for(ask.request)) {
    ask.output_cap = output_cap;
    const RetryStep step = co_await ask_model(ask, model);
    if (step == RetryStep::end) break;
  }
  ask.reply.seconds = elapsed(ask);
  co_return std::move(ask.reply);
}

// Asks one model until it has answered, or says what comes next.
Task<RetryStep> HttpChat::ask_model(Ask& ask, const std::string& model) {
  Lane& here = lane(model);
  const double before_s = ask.state.elapsed_s;
  ask.state = {};
  ask.state.elapsed_s = before_s;
  for (;;) {
    const Lane::Admission admission = co_await here.admitted(policy_.total_s - elapsed(ask));
    if (admission != Lane::Admission::granted) co_return not_admitted(ask, model, here, admission);
    const RequestLimiter::Ticket ticket = here.start();
    if (ask.first_sent_s == 0) ask.first_sent_s = steady_seconds();
    ask.reply.model_asked = model;
    const ExchangeRequest wanted{ask.request, model, ask.output_cap};
    const ChatAttempt attempt = co_await exchange(http_, settings_, key_, wanted, here.fixes());
    book(ask, model, attempt);
    const RetryDecision next = next_step(ask, here, attempt);
    here.settle(ticket, attempt.finding, attempt.status, next.wait_s);
    if (next.step == RetryStep::next_model || next.step == RetryStep::end) co_return next.step;
    if (next.wait_s > 0) co_await pause(next.wait_s);
  }
}

RetryStep HttpChat::not_admitted(Ask& ask, const std::string& model, const Lane& here,
                                 Lane::Admission why) const {
  if (why == Lane::Admission::stopped) {
    end_as(ask, ChatOutcome::stopped, "the run is being stopped");
    return RetryStep::end;
  }
  end_as(
      ask, ChatOutcome::rate_limited,
      model + " takes no requests for another " + duration_text(here.paused_s()) + ", as its provider asked");
  return RetryStep::next_model;
}

void HttpChat::book(Ask& ask, const std::string& model, const ChatAttempt& attempt) {
  ChatReply& to = ask.reply;
  const WireReply& from = attempt.reader->reply();
  to.outcome = attempt.finding.outcome;
  const bool whole = to.outcome == ChatOutcome::ok || to.outcome == ChatOutcome::truncated;
  to.text = whole ? attempt.reader->text() : std::string();
  to.message = key_.redacted(attempt.finding.message);
  to.param = key_.redacted(attempt.finding.param);
  to.model_served = from.model;
  to.parameters = parameters_of(attempt.body);
  to.finish_reason = from.finish_reason;
  to.request_id = attempt.request_id.empty() ? from.id : attempt.request_id;
  const TokenUsage used = booked_usage(attempt.finding, from, ask.request, ask.output_cap);
  add(to.usage, used);
  const bool priced = price_of(settings_.prices, from.model) != nullptr;
  to.cost += cost_of(settings_.prices, priced ? from.model : model, used);
  to.attempts += attempt.finding.outcome == ChatOutcome::stopped && attempt.status == 0 ? 0 : 1;
}

// Whether a refusal has a cause that is gone, or is taken away here: an expired key whose file was renewed,
// an output cap that leaves no room for the prompt.
bool HttpChat::may_try_anew(Ask& ask, const ChatAttempt& attempt) {
  const Finding& finding = attempt.finding;
  if (finding.outcome == ChatOutcome::auth_dead && !ask.key_reloaded) {
    ask.key_reloaded = true;
    return key_.reload() || key_.generation() != attempt.key_generation;
  }
  if (finding.outcome == ChatOutcome::context_too_long && !ask.fitted) {
    ask.fitted = true;
    const int cap = cap_within_context(finding.message, estimated_tokens(ask.request), ask.output_cap);
    if (cap > 0) ask.output_cap = cap;
    return cap > 0;
  }
  return false;
}

RetryDecision HttpChat::next_step(Ask& ask, Lane& here, const ChatAttempt& attempt) {
  const Finding& finding = attempt.finding;
  if (stopped_ && finding.outcome != ChatOutcome::ok) {
    end_as(ask, ChatOutcome::stopped, "the run is being stopped");
    return {RetryStep::end};
  }
  if (may_try_anew(ask, attempt)) return {RetryStep::again};
  ask.state.elapsed_s = elapsed(ask);
  ask.state.same_refusal = finding.outcome == ChatOutcome::bad_request &&
                           !ask.refusals.insert(ask.reply.model_asked + finding.message).second;
  RetryDecision next = decide(finding, ask.state, policy_, std::uniform_real_distribution<>()(random_));
  if (next.step == RetryStep::again) {
    ++ask.state.failures;
    ask.state.ambiguous += finding.ambiguous ? 1 : 0;
    ask.state.paid += finding.paid ? 1 : 0;
  }
  if (next.step == RetryStep::larger_cap) {
    ask.state.doubled = true;
    ask.output_cap *= 2;
    if (here.fixes().output_cap > 0 && ask.output_cap > 2 * here.fixes().output_cap)
      next.step = RetryStep::next_model;
  }
  if (next.step == RetryStep::fix_parameter) {
    ++ask.state.fixes;
    if (!mended(here.fixes(), attempt)) next.step = RetryStep::next_model;
  }
  return next;
}

Task<void> HttpChat::pause(double seconds) {
  if (stopped_) co_return;
  struct Sleeper {  // also leaves where the coroutine is thrown away
    std::set<Alarm*>& all;
    Alarm alarm;
    ~Sleeper() { all.erase(&alarm); }
  };
  Sleeper sleeper{sleepers_, Alarm(io_)};
  sleepers_.insert(&sleeper.alarm);
  co_await sleeper.alarm.wait(seconds);
}

void HttpChat::end_as(Ask& ask, ChatOutcome outcome, const std::string& message) const {
  ask.reply.outcome = outcome;
  ask.reply.message = message;
}

}  // namespace

std::unique_ptr<ChatService> make_http_chat(asio::io_context& io, const ModelSettings& settings, ApiKey key,
                                            HttpChatOptions options) {
  return std::make_unique<HttpChat>(io, settings, std::move(key), options);
}

}  // namespace noctune
