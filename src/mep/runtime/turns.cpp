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
  if (watching_) peer_.push_back(between(since_, kernel_now()));
  since_ = kernel_now();
}

void Turns::watch() {
  watching_ = true;
  since_ = kernel_now();
}

void Turns::give() {
  if (alone() || holder_ != side_) return;
  if (!team_.rest()) {
    // A runtime that keeps its threads lets them spin for a while: 2 ms outlast the usual defaults.
    const timespec spinning{0, 2000000};
    nanosleep(&spinning, nullptr);
  }
  if (watching_) own_.push_back(between(since_, kernel_now()));
  since_ = kernel_now();
  ssize_t wrote = 0;
  do wrote = ::write(out_, &side_, 1);
  while (wrote < 0 && errno == EINTR);
  if (wrote != 1) report_.refuse(Fault::peer, "the other process of the timing pair is gone");
  holder_ = side_ == 'a' ? 'b' : 'a';
}

}  // namespace noctune
