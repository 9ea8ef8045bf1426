// Says on stderr what is being done at the moment: a line with a running clock on a terminal, else one plain
// line per step, so that stdout holds the result alone.
#pragma once

#include <string>

#include "base/async.hpp"

namespace noctune {

class StepLine {
 public:
  StepLine();
  ~StepLine() { end(); }
  StepLine(const StepLine&) = delete;
  StepLine& operator=(const StepLine&) = delete;

  void begin(std::string what);
  void end();
  // Keeps the clock running until the io_context is stopped. The line must outlive it.
  Task<void> tick();

 private:
  void draw();
  void clear();

  bool terminal_;
  double started_;
  std::string what_;
};

}  // namespace noctune
