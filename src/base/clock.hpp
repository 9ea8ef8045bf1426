// Wall-clock stamps for records and a steady clock for deadlines.
#pragma once

#include <chrono>
#include <string>

namespace noctune {

// Seconds since the epoch, UTC.
double wall_seconds();
// "2026-01-31T21:04:05Z"
std::string iso_time(double wall_seconds);
// Seconds on the monotonic clock.
double steady_seconds();

// Measures elapsed steady seconds since construction.
class Stopwatch {
 public:
  Stopwatch() : start_(steady_seconds()) {}
  double seconds() const { return steady_seconds() - start_; }

 private:
  double start_;
};

}  // namespace noctune
