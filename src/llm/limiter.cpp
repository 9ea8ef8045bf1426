#include "llm/limiter.hpp"

namespace noctune {

RequestLimiter::Ticket RequestLimiter::start(double now) {
  ++open_;
  return {now};
}

void RequestLimiter::ended(const Ticket&) {
  open_ = std::max(0, open_ - 1);
}

void RequestLimiter::succeeded(const Ticket& ticket) {
  ended(ticket);
  if (++successes_ < step_) return;
  successes_ = 0;
  allowed_ = std::min(most_, allowed_ + 1);
}

void RequestLimiter::throttled(const Ticket& ticket, double now, double pause_s) {
  ended(ticket);
  paused_until_ = std::max(paused_until_, now + pause_s);
  successes_ = 0;
  if (ticket.started_s < last_cut_) return;
  last_cut_ = now;
  allowed_ = std::max(1, allowed_ / 2);
}

}  // namespace noctune
