// The turn token of a timing pair: one byte over two pipes. Side 'a' holds it at the start.
// Every wait ends when the peer dies; then the process reports that and leaves with code 3.
#pragma once

#include "report.hpp"
#include "team.hpp"

namespace noctune {

class Turns {
 public:
  Turns(char side, int token_in, int token_out, const Team& team, Report& report)
      : side_(side), holder_('a'), in_(token_in), out_(token_out), team_(team), report_(report) {}

  bool alone() const { return in_ < 0; }
  // Blocks until this side may run.
  void take();
  // Lets the peer run; this side's threads go to sleep first.
  void give();

 private:
  char side_, holder_;
  int in_, out_;
  const Team& team_;
  Report& report_;
};

}  // namespace noctune
