// Two clocks. The measuring one goes through a pointer taken before any plugin is loaded; the other asks the
// kernel directly, so that the sum over samples can be cross-checked.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace noctune {

using ReadClock = int (*)(clockid_t, timespec*);
inline const ReadClock read_clock = &clock_gettime;

inline double in_seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
inline double between(const timespec& from, const timespec& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) + 1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
}
inline timespec now() {
  timespec time{};
  read_clock(CLOCK_MONOTONIC, &time);
  return time;
}
inline double seconds_since(const timespec& start) {
  return between(start, now());
}

inline timespec kernel_now() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &time);
  return time;
}

}  // namespace noctune
