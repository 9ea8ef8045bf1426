#include "app/step_line.hpp"

#include <unistd.h>

#include <cstdio>

#include "app/terminal.hpp"
#include "base/clock.hpp"

namespace noctune {

StepLine::StepLine() : terminal_(live_wanted(STDERR_FILENO)), started_(steady_seconds()) {}

void StepLine::begin(std::string what) {
  clear();
  what_ = std::move(what);
  if (terminal_) {
    draw();
  } else {
    std::fprintf(stderr, "[%s] %s\n", clock_text(steady_seconds() - started_).c_str(), what_.c_str());
  }
}

void StepLine::end() {
  clear();
  what_.clear();
}

Task<void> StepLine::tick() {
  constexpr double redraw_every_s = 0.5;
  while (terminal_) {
    if (!what_.empty()) draw();
    co_await sleep_for(redraw_every_s);
  }
}

void StepLine::draw() {
  std::fprintf(stderr, "\r\033[K[%s] %s ...", clock_text(steady_seconds() - started_).c_str(), what_.c_str());
}

void StepLine::clear() {
  if (terminal_ && !what_.empty()) std::fputs("\r\033[K", stderr);
}

}  // namespace noctune
