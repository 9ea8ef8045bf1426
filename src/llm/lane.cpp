#include "llm/lane.hpp"

#include "base/clock.hpp"

namespace noctune {
namespace {

constexpr int status_overloaded = 529;  // Anthropic's "too many requests of all users"
constexpr double until_rung_s = 3600;

}  // namespace

Task<Lane::Admission> Lane::admitted(double patience_s) {
  const AsyncMutex::Guard turn = co_await door_.lock();
  while (!stopped_) {
    if (limiter_.may_start(steady_seconds())) co_return Admission::granted;
    const double pause_s = paused_s();
    if (pause_s > patience_s) co_return Admission::closed;
    co_await alarm_.wait(pause_s > 0 ? pause_s : until_rung_s);
  }
  co_return Admission::stopped;
}

RequestLimiter::Ticket Lane::start() {
  return limiter_.start(steady_seconds());
}

double Lane::paused_s() const {
  return limiter_.paused_for(steady_seconds());
}

void Lane::settle(const RequestLimiter::Ticket& ticket, const Finding& finding, int status, double wait_s) {
  const bool told_to_wait = finding.retry_after_s.has_value() && finding.outcome == ChatOutcome::overloaded;
  if (finding.outcome == ChatOutcome::rate_limited || status == status_overloaded || told_to_wait)
    limiter_.throttled(ticket, steady_seconds(), finding.retry_after_s.value_or(wait_s));
  else if (finding.outcome == ChatOutcome::ok)
    limiter_.succeeded(ticket);
  else
    limiter_.ended(ticket);
  alarm_.ring();
}

void Lane::stop() {
  stopped_ = true;
  alarm_.ring();
}

}  // namespace noctune
