#include "llm/budget.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace noctune {
namespace {

constexpr double micros_per_unit = 1e6;
constexpr double most_money = 1e9;  // far from what overflows

std::string money_text(long long micros, const std::string& currency) {
  return fixed(static_cast<double>(micros) / micros_per_unit, 6) + " " + currency;
}

long long shared(long long cap, double share) {
  return static_cast<long long>(std::floor(static_cast<double>(cap) * share));
}

}  // namespace

Spending& Spending::operator+=(const Spending& other) {
  micros += other.micros;
  tokens += other.tokens;
  requests += other.requests;
  return *this;
}

Spending& Spending::operator-=(const Spending& other) {
  micros -= other.micros;
  tokens -= other.tokens;
  requests -= other.requests;
  return *this;
}

Spending operator+(Spending left, const Spending& right) {
  return left += right;
}

long long micros_of(double money) {
  return money > 0 ? std::llround(std::min(money, most_money) * micros_per_unit) : 0;
}

Spending spending_of(const ChatReply& reply, const PriceTable& prices) {
  const double cost = reply.cost > 0 ? reply.cost : cost_of(prices, reply.model_served, reply.usage);
  return {micros_of(cost), reply.usage.in + reply.usage.out, reply.attempts};
}

Spending worst_case(long long in_tokens, long long max_output_tokens, const std::vector<std::string>& models,
                    const PriceTable& prices) {
  double dearest = 0;
  for (const std::string& model : models)
    if (const ModelPrice* price = price_of(prices, model))
      dearest = std::max(dearest, static_cast<double>(in_tokens) * std::max(price->in, price->cached) +
                                      static_cast<double>(max_output_tokens) * price->out);
  return {static_cast<long long>(std::ceil(dearest)), in_tokens + max_output_tokens, 1};
}

Budget::Budget(BudgetSettings caps, std::string currency) : caps_(caps), currency_(std::move(currency)) {}

std::optional<OverBudget> Budget::refusal(const Account& account, const Spending& worst, double share,
                                          const std::string& whose) const {
  struct Line {
    const char* name;
    long long cap, settled, reserved, wanted;
    bool money;
  };
  const Spending &s = account.settled, &r = account.reserved;
  const Line lines[] = {{"money", micros_of(caps_.money), s.micros, r.micros, worst.micros, true},
                        {"tokens", caps_.tokens, s.tokens, r.tokens, worst.tokens, false},
                        {"requests", caps_.requests, s.requests, r.requests, worst.requests, false}};
  for (const Line& l : lines) {
    const long long cap = shared(l.cap, share);
    if (l.cap <= 0 || l.settled + l.reserved + l.wanted <= cap) continue;
    const auto text = [&](long long value) {
      return l.money ? money_text(value, currency_) : std::to_string(value);
    };
    const std::string message = "the budget's cap on " + std::string(l.name) + whose + ", " + text(cap) +
                                ", leaves " + text(std::max(0LL, cap - l.settled - l.reserved)) +
                                "; this call may need " + text(l.wanted);
    return OverBudget{message, l.settled + l.wanted <= cap};
  }
  return {};
}

std::optional<OverBudget> Budget::reserve(const std::string& hotspot, const Spending& worst,
                                          double elapsed_s) {
  if (caps_.wall_s > 0 && elapsed_s >= caps_.wall_s)
    return OverBudget{"the budget's cap on wall time, " + duration_text(caps_.wall_s) + ", leaves 0 s",
                      false};
  Account& own = by_hotspot_[hotspot];
  if (auto refused = refusal(all_, worst, 1, "")) return refused;
  if (caps_.hotspot_share > 0)
    if (auto refused = refusal(own, worst, caps_.hotspot_share, " for the hotspot " + hotspot))
      return refused;
  all_.reserved += worst;
  own.reserved += worst;
  return {};
}

void Budget::settle(const std::string& hotspot, const Spending& reserved, const Spending& real) {
  for (Account* account : {&all_, &by_hotspot_[hotspot]}) {
    account->reserved -= reserved;
    account->settled += real;
  }
}

void Budget::earlier(const std::string& hotspot, const Spending& spent) {
  all_.settled += spent;
  by_hotspot_[hotspot].settled += spent;
}

std::string Budget::text() const {
  const auto of = [](const std::string& value, bool capped, const std::string& cap) {
    return capped ? value + " of " + cap : value;
  };
  return of(money_text(all_.settled.micros, currency_), caps_.money > 0,
            money_text(micros_of(caps_.money), currency_)) +
         ", " + of(std::to_string(all_.settled.tokens), caps_.tokens > 0, std::to_string(caps_.tokens)) +
         " tokens, " +
         of(std::to_string(all_.settled.requests), caps_.requests > 0, std::to_string(caps_.requests)) +
         " requests";
}

}  // namespace noctune
