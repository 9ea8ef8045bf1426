// A sleep that somebody can end early.
#pragma once

#include "base/async.hpp"

namespace noctune {

// One waiter at a time. A ring that nobody waits for is lost: look at the state before waiting.
class Alarm {
 public:
  explicit Alarm(asio::io_context& io) : timer_(io) {}

  Task<void> wait(double seconds) {
    constexpr double longest_s = 86400;
    const std::chrono::duration<double> span(seconds < longest_s ? seconds : longest_s);
    timer_.expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(span));
    asio::error_code rung;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, rung));
  }
  void ring() { timer_.cancel(); }

 private:
  asio::steady_timer timer_;
};

}  // namespace noctune
