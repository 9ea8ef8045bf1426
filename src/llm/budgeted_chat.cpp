#include "llm/budgeted_chat.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"

namespace noctune {
namespace {

constexpr double least_ratio = 0.5, greatest_ratio = 4, margin = 1.1;
constexpr double micros_per_unit = 1e6;

// Sent, ended badly, and nobody said what was used: a time-out does not stop billing.
bool use_is_unknown(const ChatReply& reply) {
  const bool cut = reply.outcome == ChatOutcome::transport || reply.outcome == ChatOutcome::parse_error ||
                   reply.outcome == ChatOutcome::stopped;
  const bool silent = reply.usage.in == 0 && reply.usage.out == 0 && !reply.usage.estimated;
  return cut && silent && reply.attempts > 0;
}

std::function<double()> since_now() {
  return [watch = Stopwatch()] { return watch.seconds(); };
}

}  // namespace

double TokenCalibration::ratio() const {
  if (estimated_ <= 0) return 1;
  return std::clamp(margin * counted_ / estimated_, least_ratio, greatest_ratio);
}

long long TokenCalibration::prompt_tokens(const ChatRequest& request) const {
  return static_cast<long long>(std::ceil(ratio() * static_cast<double>(estimated_tokens(request))));
}

void TokenCalibration::learn(const ChatRequest& request, const TokenUsage& usage) {
  if (usage.estimated || usage.in <= 0) return;
  estimated_ += static_cast<double>(estimated_tokens(request));
  counted_ += static_cast<double>(usage.in);
}

BudgetGate::BudgetGate(asio::io_context& io, const ModelSettings& settings, std::function<double()> elapsed_s)
    : settings_(settings),
      elapsed_s_(elapsed_s ? std::move(elapsed_s) : since_now()),
      budget_(settings.budget, settings.prices.currency),
      settled_(io) {}

Spending BudgetGate::worst(const ChatRequest& request) const {
  const long long out =
      request.max_output_tokens > 0 ? request.max_output_tokens : settings_.max_output_tokens;
  std::vector<std::string> models = settings_.models;  // the others may take over from the one asked for
  if (!request.model.empty()) models.push_back(request.model);
  return worst_case(calibration_.prompt_tokens(request), out, models, settings_.prices);
}

Task<BudgetGate::Entry> BudgetGate::enter(CallSlot slot, ChatRequest request) {
  Entry entry;
  for (;;) {
    entry.reserved = worst(request);
    if (stopped_) {
      entry.refused = OverBudget{"the run is being stopped", false};
      co_return entry;
    }
    entry.refused = budget_.reserve(slot.hotspot, entry.reserved, elapsed_s_());
    if (!entry.refused || !entry.refused->waiting_helps) co_return entry;
    co_await settled_.wait();
  }
}

ChatReply BudgetGate::priced(const Spending& reserved, ChatReply reply) const {
  if (use_is_unknown(reply)) {
    reply.usage.in = reserved.tokens;
    reply.usage.estimated = true;
    reply.cost = static_cast<double>(reserved.micros) / micros_per_unit;
  }
  if (reply.cost <= 0) reply.cost = cost_of(settings_.prices, reply.model_served, reply.usage);
  return reply;
}

void BudgetGate::settle(const CallSlot& slot, const ChatRequest& request, const Spending& reserved,
                        const ChatReply& reply) {
  budget_.settle(slot.hotspot, reserved, spending_of(reply, settings_.prices));
  if (reply.attempts == 1) calibration_.learn(request, reply.usage);
  settled_.notify();
}

void BudgetGate::stop() {
  stopped_ = true;
  settled_.notify();
}

BudgetedChat::BudgetedChat(asio::io_context& io, ChatService& service, const ModelSettings& settings,
                           std::function<double()> elapsed_s)
    : service_(service), gate_(io, settings, std::move(elapsed_s)) {}

Task<ChatReply> BudgetedChat::ask(CallSlot slot, ChatRequest request) {
  const BudgetGate::Entry entry = co_await gate_.enter(slot, request);
  if (entry.refused) {
    ChatReply reply;
    reply.outcome = stopped_ ? ChatOutcome::stopped : ChatOutcome::over_budget;
    reply.message = entry.refused->message;
    co_return reply;
  }
  ChatReply reply = co_await service_.ask(slot, request);
  reply = gate_.priced(entry.reserved, std::move(reply));
  gate_.settle(slot, request, entry.reserved, reply);
  co_return reply;
}

std::string BudgetedChat::describe() const {
  return service_.describe();
}

void BudgetedChat::stop() {
  stopped_ = true;
  gate_.stop();
  service_.stop();
}

}  // namespace noctune
