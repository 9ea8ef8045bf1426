#include "app/terminal.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/mpi.hpp"

namespace noctune {

bool live_wanted(int descriptor) {
  const char* wanted = std::getenv("NOCTUNE_PROGRESS");
  if (wanted) return std::strcmp(wanted, "live") == 0;
  return launcher_process_count() == 0 && ::isatty(descriptor) != 0;
}

std::string clock_text(double seconds) {
  const long whole = static_cast<long>(seconds);
  char out[32];
  if (whole < 3600) {
    std::snprintf(out, sizeof out, "%ld:%02ld", whole / 60, whole % 60);
  } else {
    std::snprintf(out, sizeof out, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return out;
}

}  // namespace noctune
