// How long calls of the entry take: on the host between two readings of the clock, on a GPU between two
// events of the entry's stream.
#pragma once

#include "clock.hpp"
#include "device.hpp"

namespace noctune {

struct Span {
  double seconds = 0;  // of the calls
  double wall = 0;     // around them, by the other clock
};

#if NOCTUNE_GPU

class CallClock {
 public:
  explicit CallClock(const Device& device);
  CallClock(const CallClock&) = delete;
  ~CallClock();

  template <class Calls>
  Span time(Calls&& calls) {
    start();
    calls();
    return stop();
  }

 private:
  void start();
  Span stop();
  struct Gate;

  const Device& device_;
  Gate* gate_ = nullptr;  // where the GPU reads it, too
  void *begin_ = nullptr, *end_ = nullptr;
  bool gated_ = true;
  double overhead_ = 0;  // seconds that the other clock sees of a span in which nothing is called
  timespec started_{};
};

#else

class CallClock {
 public:
  explicit CallClock(const Device&) {}

  template <class Calls>
  Span time(Calls&& calls) {
    const timespec kernel_start = kernel_now();
    const timespec start = now();
    calls();
    const timespec end = now();
    return {between(start, end), between(kernel_start, kernel_now())};
  }
};

#endif

}  // namespace noctune
