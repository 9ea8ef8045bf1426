#include "app/console.hpp"

#include <unistd.h>

#include <cstdio>

#include "app/status_line.hpp"
#include "app/terminal.hpp"
#include "base/clock.hpp"

namespace noctune {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string{'\\', c} : c == '\n' ? " " : std::string(1, c);
  return out + "\"";
}

}  // namespace

Console::Console() : terminal_(live_wanted(STDOUT_FILENO)), started_(steady_seconds()) {}
Console::~Console() {
  clear();
}

void Console::event(const std::string& hotspot, bool warning, const std::string& text) {
  clear();
  if (terminal_) {
    std::printf("%7s  %-12s %s%s\n", clock_text(steady_seconds() - started_).c_str(), hotspot.c_str(),
                warning ? "warning: " : "", text.c_str());
  } else {
    std::printf("time=%s level=%s%s%s text=%s\n", iso_time(wall_seconds()).c_str(),
                warning ? "warning" : "info", hotspot.empty() ? "" : " hotspot=", hotspot.c_str(),
                quoted(text).c_str());
  }
  draw();
  std::fflush(stdout);
}

void Console::progress(const RunProgress& progress) {
  progress_ = progress;
  clear();
  draw();
  std::fflush(stdout);
}

void Console::draw() {
  if (!terminal_ || progress_.hotspots == 0) return;
  // Without line wrap: what is too long for the terminal must not take a second line.
  const std::string text = "\033[?7l" + status_text(progress_, steady_seconds() - started_) + "\033[?7h";
  std::fwrite(text.data(), 1, text.size(), stdout);
  drawn_ = true;
}

void Console::clear() {
  if (drawn_) std::printf("\r\033[K");
  drawn_ = false;
}

}  // namespace noctune
