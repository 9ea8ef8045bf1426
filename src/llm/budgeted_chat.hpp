// The gate before every model call: the worst case is reserved before sending and settled with what was used.
#pragma once

#include <functional>

#include "llm/budget.hpp"
#include "llm/chat_service.hpp"

namespace noctune {

// Turns the estimate of tokens into what the provider counts, learnt from its reports.
class TokenCalibration {
 public:
  // Never below what the reports so far say, with a margin; the ratio stays within 1/2 and 4.
  long long prompt_tokens(const ChatRequest& request) const;
  void learn(const ChatRequest& request, const TokenUsage& usage);
  double ratio() const;

 private:
  double estimated_ = 0, counted_ = 0;
};

class BudgetGate {
 public:
  // `elapsed_s` gives the seconds since the campaign's start; without it they count from here.
  BudgetGate(asio::io_context& io, const ModelSettings& settings, std::function<double()> elapsed_s = {});

  struct Entry {
    std::optional<OverBudget> refused;
    Spending reserved;
  };
  // Waits while open calls might leave enough. Every entry that is not refused must be settled.
  Task<Entry> enter(CallSlot slot, ChatRequest request);
  // The reply with its cost filled in: an attempt that failed after sending, without a word on its usage, is
  // taken as used in full. Nothing is booked yet.
  ChatReply priced(const Spending& reserved, ChatReply reply) const;
  void settle(const CallSlot& slot, const ChatRequest& request, const Spending& reserved,
              const ChatReply& priced_reply);
  // Waiting and later entries are refused.
  void stop();

  Budget& budget() { return budget_; }
  const Budget& budget() const { return budget_; }
  const TokenCalibration& calibration() const { return calibration_; }

 private:
  Spending worst(const ChatRequest& request) const;

  ModelSettings settings_;
  std::function<double()> elapsed_s_;
  Budget budget_;
  TokenCalibration calibration_;
  Signal settled_;
  bool stopped_ = false;
};

// A service behind a gate. `over_budget` replies name the cap and what is left; nothing was sent for them.
class BudgetedChat final : public ChatService {
 public:
  BudgetedChat(asio::io_context& io, ChatService& service, const ModelSettings& settings,
               std::function<double()> elapsed_s = {});

  Task<ChatReply> ask(CallSlot slot, ChatRequest request) override;
  std::string describe() const override;
  void stop() override;

  Budget& budget() { return gate_.budget(); }

 private:
  ChatService& service_;
  BudgetGate gate_;
  bool stopped_ = false;
};

}  // namespace noctune
