// What is at work on one rank: children of each kind, and for how long anything was.
#pragma once

#include <utility>

#include "base/clock.hpp"

namespace noctune {

class Activity {
 public:
  enum class Kind { building, checking, measuring };

  int count(Kind kind) const { return counts_[static_cast<int>(kind)]; }
  bool idle() const { return total_ == 0; }

  // Seconds in which at least one child was at work, since the last call: they add up without overlap.
  double take_busy_seconds() {
    if (total_ > 0) lap();
    return std::exchange(busy_, 0.0);
  }

  // Counts a child while it lives.
  class Entry {
   public:
    Entry(Activity& activity, Kind kind) : activity_(activity), kind_(kind) { activity_.change(kind_, +1); }
    ~Entry() { activity_.change(kind_, -1); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    Activity& activity_;
    Kind kind_;
  };

 private:
  void lap() {
    const double now = steady_seconds();
    busy_ += now - since_;
    since_ = now;
  }
  void change(Kind kind, int by) {
    if (total_ > 0) {
      lap();
    } else {
      since_ = steady_seconds();
    }
    counts_[static_cast<int>(kind)] += by;
    total_ += by;
  }

  int counts_[3] = {0, 0, 0};
  int total_ = 0;
  double since_ = 0, busy_ = 0;
};

}  // namespace noctune
