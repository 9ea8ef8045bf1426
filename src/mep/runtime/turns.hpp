// The turn token of a timing pair: one byte over two pipes. Side 'a' holds it at the start, or, where the
// pair starts early, is sent it when the device is theirs. Every wait ends when the peer dies; then the
// process reports that and leaves with code 3.
#pragma once

#include <vector>

#include "clock.hpp"
#include "command.hpp"
#include "report.hpp"
#include "team.hpp"

namespace noctune {

class Turns {
 public:
  Turns(const Timing& timing, const Team& team, Report& report)
      : side_(timing.side),
        holder_(timing.starts_early ? nobody : 'a'),
        in_(timing.token_in),
        out_(timing.token_out),
        team_(team),
        report_(report) {}

  bool alone() const { return in_ < 0; }
  // Blocks until this side may run.
  void take();
  // Lets the peer run; this side's threads go to sleep first.
  void give();

  // From here on the length of every turn is kept: this side's own, and the peer's as seen from here.
  void watch();
  const std::vector<double>& own_seconds() const { return own_; }
  const std::vector<double>& peer_seconds() const { return peer_; }

 private:
  static constexpr char nobody = '-';
  char side_, holder_;
  int in_, out_;
  const Team& team_;
  Report& report_;
  bool watching_ = false;
  timespec since_{};  // the turn that runs began
  std::vector<double> own_, peer_;
};

}  // namespace noctune
