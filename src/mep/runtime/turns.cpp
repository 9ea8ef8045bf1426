#include "turns.hpp"

#include <time.h>
#include <unistd.h>
#include <cerrno>

namespace noctune {

void Turns::take() {
  if (alone() || holder_ == side_) return;
  char byte = 0;
  ssize_t got = 0;
  do got = ::read(in_, &byte, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1) report_.refuse(Fault::peer, "the other process of the timing pair is gone");
  holder_ = side_;
}

void Turns::give() {
  if (alone() || holder_ != side_) return;
  if (!team_.rest()) {
    // A runtime that keeps its threads lets them spin for a while: 2 ms outlast the usual defaults.
    const timespec spinning{0, 2000000};
    nanosleep(&spinning, nullptr);
  }
  ssize_t wrote = 0;
  do wrote = ::write(out_, &side_, 1);
  while (wrote < 0 && errno == EINTR);
  if (wrote != 1) report_.refuse(Fault::peer, "the other process of the timing pair is gone");
  holder_ = side_ == 'a' ? 'b' : 'a';
}

}  // namespace noctune
