// How many requests may be open at one endpoint and model: halved when the provider says "too many", one more
// after every so many successes, nobody at all until the time that the provider named.
#pragma once

#include <algorithm>

namespace noctune {

// Plain logic; `now` is any steady clock in seconds. Every start() is followed by exactly one ending.
class RequestLimiter {
 public:
  struct Ticket {
    double started_s = 0;
  };

  explicit RequestLimiter(int most, int successes_per_step = 8)
      : most_(std::max(1, most)), step_(std::max(1, successes_per_step)), allowed_(most_) {}

  bool may_start(double now) const { return now >= paused_until_ && open_ < allowed_; }
  double paused_for(double now) const { return std::max(0.0, paused_until_ - now); }
  int allowed() const { return allowed_; }
  int open() const { return open_; }

  Ticket start(double now);
  void succeeded(const Ticket& ticket);
  // Ended in a way that says nothing of the provider's limits.
  void ended(const Ticket& ticket);
  // The provider wants less: nobody starts for `pause_s`. Refusals of requests that had started before the
  // last cut are echoes of the same burst and cut no further.
  void throttled(const Ticket& ticket, double now, double pause_s);

 private:
  int most_, step_, allowed_;
  int open_ = 0, successes_ = 0;
  double paused_until_ = -1e300, last_cut_ = -1e300;
};

}  // namespace noctune
