// What may be spent and what is: exact accounting without I/O or clock.
#pragma once

#include <map>
#include <string>

#include "base/error.hpp"
#include "llm/price.hpp"

namespace noctune {

// Money counts in whole millionths of the currency: sums of doubles depend on their order, and then a cap
// could be passed by rounding, and a resumed run would not find the sums of the earlier one. A price for a
// million tokens is the micros of one token.
struct Spending {
  long long micros = 0, tokens = 0, requests = 0;

  Spending& operator+=(const Spending& other);
  Spending& operator-=(const Spending& other);
  bool operator==(const Spending&) const = default;
};
Spending operator+(Spending left, const Spending& right);

long long micros_of(double money);
// What a reply says of itself: all attempts, and the cost from the table where the reply gives none.
Spending spending_of(const ChatReply& reply, const PriceTable& prices);
// The most a request can cost: the dearest of the models that may answer, no use of the cache, the output as
// long as allowed. `in_tokens` is the estimate of the prompt.
Spending worst_case(long long in_tokens, long long max_output_tokens, const std::vector<std::string>& models,
                    const PriceTable& prices);

// Why something cannot be reserved. `waiting_helps`: it would fit if open reservations cost nothing.
struct OverBudget {
  std::string message;  // names the cap and what is left of it
  bool waiting_helps = false;
};

// Never lets settled plus reserved pass a cap. A settlement above its reservation is booked as it is.
class Budget {
 public:
  explicit Budget(BudgetSettings caps, std::string currency = "USD");

  // Nothing when reserved. `elapsed_s` since the campaign's start.
  std::optional<OverBudget> reserve(const std::string& hotspot, const Spending& worst, double elapsed_s);
  // Ends a reservation: what it cost in truth; nothing at all releases it.
  void settle(const std::string& hotspot, const Spending& reserved, const Spending& real);
  // What earlier runs, or others, have spent.
  void earlier(const std::string& hotspot, const Spending& spent);

  const Spending& settled() const { return all_.settled; }
  const Spending& reserved() const { return all_.reserved; }
  // "0.42 of 5.00 USD, 12,000 of 1,000,000 tokens, 3 requests"
  std::string text() const;

 private:
  struct Account {
    Spending settled, reserved;
  };
  std::optional<OverBudget> refusal(const Account& account, const Spending& worst, double share,
                                    const std::string& whose) const;

  BudgetSettings caps_;
  std::string currency_;
  Account all_;
  std::map<std::string, Account> by_hotspot_;
};

}  // namespace noctune
