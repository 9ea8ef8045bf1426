#include "app/console.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/clock.hpp"
#include "base/mpi.hpp"

namespace noctune {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string{'\\', c} : c == '\n' ? " " : std::string(1, c);
  return out + "\"";
}

// mpirun may give ranks a terminal of its own although its output goes to a file, so under a launcher only
// NOCTUNE_PROGRESS=live asks for the live line.
bool live_wanted() {
  const char* wanted = std::getenv("NOCTUNE_PROGRESS");
  if (wanted) return std::strcmp(wanted, "live") == 0;
  return launcher_process_count() == 0 && ::isatty(STDOUT_FILENO) != 0;
}

// "1:02:03" or "2:03"
std::string elapsed(double seconds) {
  const long whole = static_cast<long>(seconds);
  char out[32];
  if (whole < 3600) {
    std::snprintf(out, sizeof out, "%ld:%02ld", whole / 60, whole % 60);
  } else {
    std::snprintf(out, sizeof out, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return out;
}

}  // namespace

Console::Console() : terminal_(live_wanted()), started_(steady_seconds()) {}
Console::~Console() {
  clear();
}

void Console::event(const std::string& hotspot, bool warning, const std::string& text) {
  clear();
  if (terminal_) {
    std::printf("%7s  %-12s %s%s\n", elapsed(steady_seconds() - started_).c_str(), hotspot.c_str(),
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
  std::printf("[%s] %d of %d hotspots done, %d candidates judged, %d usable",
              elapsed(steady_seconds() - started_).c_str(), progress_.finished, progress_.hotspots,
              progress_.candidates, progress_.ok);
  drawn_ = true;
}

void Console::clear() {
  if (drawn_) std::printf("\r\033[K");
  drawn_ = false;
}

}  // namespace noctune
