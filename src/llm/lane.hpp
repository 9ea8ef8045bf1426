// The queue in front of one model at one endpoint.
#pragma once

#include "base/async.hpp"
#include "llm/alarm.hpp"
#include "llm/classify.hpp"
#include "llm/limiter.hpp"
#include "llm/parameter_fixes.hpp"

namespace noctune {

class Lane {
 public:
  enum class Admission {
    granted,
    stopped,
    closed  // the provider's pause is longer than the caller can wait
  };

  Lane(asio::io_context& io, int concurrency) : limiter_(concurrency), door_(io), alarm_(io) {}

  // Waits for a turn, then for a place. Granted: start() follows before anything else is awaited.
  Task<Admission> admitted(double patience_s);
  RequestLimiter::Ticket start();
  // How it went; `wait_s` is the pause where the provider wants less and names no time.
  void settle(const RequestLimiter::Ticket& ticket, const Finding& finding, int status, double wait_s);
  void stop();

  double paused_s() const;
  ParameterFixes& fixes() { return fixes_; }

 private:
  RequestLimiter limiter_;
  AsyncMutex door_;  // lets callers in by turns; who is inside waits for a place
  Alarm alarm_;
  ParameterFixes fixes_;
  bool stopped_ = false;
};

}  // namespace noctune
